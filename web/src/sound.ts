// The click of a stone on wood, made when it is first wanted: a short noise
// through a resonant filter. Browsers allow sound only after a gesture, so that
// click is called from one; until then it is silent and costs nothing.

export class Sound {
  #context: AudioContext | null = null;
  #noise: AudioBuffer | null = null;

  // click plays if on is set. A capture sounds a little deeper.
  click(on: boolean, capture = false): void {
    if (!on || typeof AudioContext === 'undefined') return;
    const c = (this.#context ??= new AudioContext());
    if (c.state === 'suspended') void c.resume();
    const source = c.createBufferSource(),
      filter = c.createBiquadFilter(),
      gain = c.createGain(),
      now = c.currentTime;
    source.buffer = this.#noise ??= noise(c);
    filter.type = 'bandpass';
    filter.frequency.value = capture ? 900 : 1700;
    filter.Q.value = 5;
    gain.gain.setValueAtTime(0.9, now);
    gain.gain.exponentialRampToValueAtTime(0.001, now + 0.07);
    source.connect(filter).connect(gain).connect(c.destination);
    source.start(now);
    source.stop(now + 0.08);
  }
}

function noise(c: AudioContext): AudioBuffer {
  const buffer = c.createBuffer(1, Math.ceil(c.sampleRate * 0.08), c.sampleRate),
    data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  return buffer;
}
