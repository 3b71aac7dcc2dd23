package picture

import "math"

// polylines turns curves into lines that are off by no more than a fraction of a unit.
// Each is closed or not.
func (p *Path) polylines(off float64) (list [][]Point, closed []bool) {
	var now []Point
	end := func(shut bool) {
		if len(now) > 0 {
			list, closed = append(list, now), append(closed, shut)
		}
		now = nil
	}
	i := 0
	for _, op := range p.Ops {
		switch op {
		case Move:
			end(false)
			now = []Point{p.Points[i]}
			i++
		case Line:
			now = append(now, p.Points[i])
			i++
		case Quad, Cube:
			n := int(op) // Quad has two points, Cube three
			c := append([]Point{now[len(now)-1]}, p.Points[i:i+n]...)
			i += n
			long := 0.0
			for j := 1; j < len(c); j++ {
				long += math.Hypot(c[j].X-c[j-1].X, c[j].Y-c[j-1].Y)
			}
			parts := int(min(64, math.Ceil(math.Sqrt(long/off)/2)+1))
			for j := 1; j <= parts; j++ {
				now = append(now, bend(c, float64(j)/float64(parts)))
			}
		case Close:
			if len(now) > 0 {
				first := now[0]
				end(true)
				now = []Point{first}
			}
		}
	}
	if len(now) > 1 || len(list) == 0 {
		end(false)
	}
	return list, closed
}

// bend returns the point of a Bézier curve at t.
func bend(c []Point, t float64) Point {
	q := [4]Point{}
	n := copy(q[:], c)
	for ; n > 1; n-- {
		for i := range n - 1 {
			q[i] = Point{q[i].X + t*(q[i+1].X-q[i].X), q[i].Y + t*(q[i+1].Y-q[i].Y)}
		}
	}
	return q[0]
}

// dashed cuts a line into dashes.
func dashed(line []Point, dash []float64) (list [][]Point) {
	total := 0.0
	for _, d := range dash {
		total += d
	}
	if total <= 0 {
		return [][]Point{line}
	}
	at, left, on := 0, dash[0], true
	now := []Point{line[0]}
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		for {
			long := math.Hypot(to.X-from.X, to.Y-from.Y)
			if long <= left {
				left -= long
				now = append(now, to)
				break
			}
			from = Point{from.X + (to.X-from.X)*left/long, from.Y + (to.Y-from.Y)*left/long}
			if now = append(now, from); on {
				list = append(list, now)
			}
			at, on = (at+1)%len(dash), !on
			now, left = []Point{from}, dash[at]
		}
	}
	if on && len(now) > 1 {
		list = append(list, now)
	}
	return list
}

// outline returns polygons, all turning the same way, that together cover a stroke.
func (s *Shape) outline(off float64) (polygons [][]Point) {
	add := func(points ...Point) {
		area := 0.0
		for i, p := range points {
			q := points[(i+1)%len(points)]
			area += p.X*q.Y - q.X*p.Y
		}
		if area < 0 {
			for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
				points[i], points[j] = points[j], points[i]
			}
		}
		polygons = append(polygons, points)
	}
	half := s.Width / 2
	disc := func(p Point) {
		n := int(min(64, max(8, math.Ceil(3*math.Sqrt(half/off)))))
		points := make([]Point, n)
		for i := range points {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points[i] = Point{p.X + half*cos, p.Y + half*sin}
		}
		add(points...)
	}
	lines, closed := s.Path.polylines(off)
	for i, line := range lines {
		if shut := closed[i]; len(s.Dash) > 0 {
			if shut {
				line = append(line, line[0])
			}
			for _, part := range dashed(line, s.Dash) {
				s.follow(part, false, half, add, disc)
			}
		} else {
			s.follow(line, shut, half, add, disc)
		}
	}
	return polygons
}

// follow covers one line of a stroke.
func (s *Shape) follow(line []Point, shut bool, half float64, add func(...Point), disc func(Point)) {
	points := line[:1:1]
	for _, p := range line[1:] {
		if p != points[len(points)-1] {
			points = append(points, p)
		}
	}
	if shut && len(points) > 1 && points[0] == points[len(points)-1] {
		points = points[:len(points)-1]
	}
	if len(points) < 2 {
		if s.Cap == RoundCap {
			disc(points[0])
		}
		return
	}
	n := len(points)
	parts := n - 1
	if shut {
		parts = n
	}
	normal := func(i int) (nx, ny float64) {
		a, b := points[i%n], points[(i+1)%n]
		long := math.Hypot(b.X-a.X, b.Y-a.Y)
		return -(b.Y - a.Y) / long * half, (b.X - a.X) / long * half
	}
	for i := range parts {
		a, b := points[i], points[(i+1)%n]
		nx, ny := normal(i)
		if s.Cap == SquareCap && !shut {
			if i == 0 {
				a = Point{a.X - ny, a.Y + nx}
			}
			if i == parts-1 {
				b = Point{b.X + ny, b.Y - nx}
			}
		}
		add(Point{a.X + nx, a.Y + ny}, Point{b.X + nx, b.Y + ny}, Point{b.X - nx, b.Y - ny}, Point{a.X - nx, a.Y - ny})
		if i+1 == parts && !shut {
			break
		}
		mx, my := normal(i + 1)
		at := points[(i+1)%n]
		if s.Join == RoundJoin {
			disc(at)
			continue
		}
		if nx*my-ny*mx > 0 { // the outer side is the other one
			nx, ny, mx, my = -nx, -ny, -mx, -my
		}
		// The tip lies where the outer edges meet, if that is not too far.
		if dot := (nx*mx + ny*my) / (half * half); dot > -0.8 {
			k := 1 / (1 + dot)
			add(at, Point{at.X + nx, at.Y + ny}, Point{at.X + (nx+mx)*k, at.Y + (ny+my)*k}, Point{at.X + mx, at.Y + my})
		} else {
			add(at, Point{at.X + nx, at.Y + ny}, Point{at.X + mx, at.Y + my})
		}
	}
	if s.Cap == RoundCap && !shut {
		disc(points[0])
		disc(points[n-1])
	}
}
