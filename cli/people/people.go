// Package people has the commands about who uses a library: profiles, their roles, keys
// and links.
package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/profiles"
	"qipu/store/people"
	"qipu/view"
)

// Commands returns the commands about people.
func Commands(a *cli.App) []*cobra.Command {
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Who uses the library: profiles, roles, links to log in",
		Long: `List who uses the library, or make and change profiles. A profile is a name and a
role: a guest looks, and plays where the server lets guests play; a member plays, keeps
tags, collections and queries of his own, and sends records; an editor changes what all
see; an owner may everything. On the own machine nobody logs in, and everybody is the
owner: names are chosen on the page.

People log in to a server with a link that "qipu people link" prints; there is no
password. The commands work while a server runs, and hold at once.`,
		Example: `  qipu people add Anna
  qipu people link Anna --url https://games.example.org
  qipu people`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a) },
	}
	cmd.AddCommand(addCommand(a), listCommand(a), linkCommand(a), roleCommand(a), renameCommand(a), revokeCommand(a), removeCommand(a), exportCommand(a), namesCommand(a), showCommand(a))
	return []*cobra.Command{cmd}
}

// with opens the people of the library. They are kept apart from its records: another
// program may write to these meanwhile.
func with(ctx context.Context, a *cli.App, do func(*profiles.Room) error) error {
	return a.Reading(ctx, func(l *qipu.Library) error { return explain(do(l.People())) })
}

// explain says what can be done about an error.
func explain(err error) error {
	var name *profiles.NameError
	switch {
	case errors.Is(err, people.ErrNobody):
		return errors.New("there is no such profile: qipu people lists them")
	case errors.Is(err, people.ErrTaken):
		return errors.New("somebody has this name already: choose another one")
	case errors.As(err, &name):
		return fmt.Errorf("this is no name: %s", name.Why)
	}
	return err
}

func viewOf(p *people.Profile) view.Person {
	return view.Person{ID: p.ID, Name: p.Name, Role: p.Role.String(), Created: p.Created.UTC()}
}

func list(ctx context.Context, a *cli.App) error {
	return with(ctx, a, func(r *profiles.Room) error {
		all, err := r.List(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return a.Nothing("there are no profiles: qipu people add NAME makes one")
		}
		t := &cli.Table{Columns: []string{"name", "role"}}
		for i := range all {
			t.Add(cli.Typed("person", viewOf(&all[i])), cli.Printable(all[i].Name), all[i].Role.String())
		}
		return a.Print(t)
	})
}

func listCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the profiles",
		Example: `  qipu people list
  qipu people list --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return list(cmd.Context(), a) },
	}
}

func addCommand(a *cli.App) *cobra.Command {
	var word string
	cmd := &cobra.Command{
		Use: "add NAME", Short: "Make a profile",
		Example: `  qipu people add Bea
  qipu people add "Li Wei" --role editor`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			role, err := roleOf(word)
			if err != nil {
				return err
			}
			return with(cmd.Context(), a, func(r *profiles.Room) error {
				p, err := r.Add(cmd.Context(), args[0], role)
				if err != nil {
					return err
				}
				return say(a, "person", &p, "%s can log in now, as %s", cli.Printable(p.Name), p.Role)
			})
		},
	}
	cmd.Flags().StringVar(&word, "role", people.Member.String(), "what the profile may do: guest, member, editor or owner")
	return cmd
}

func say(a *cli.App, kind string, p *people.Profile, format string, args ...any) error {
	w := viewOf(p)
	return a.Say(cli.Figures{{Name: "type", Value: kind}, {Name: "id", Value: w.ID}, {Name: "name", Value: w.Name}, {Name: "role", Value: w.Role}}, format, args...)
}

func roleOf(word string) (people.Role, error) {
	role, err := people.ParseRole(word)
	if err != nil {
		err = cli.Usagef("%q is no role: choose guest, member, editor or owner", word)
	}
	return role, err
}

// one is a command about one profile.
func one(a *cli.App, use, short, example string, more int, do func(context.Context, *profiles.Room, people.Profile, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example, Args: cli.ArgCount(1+more, 1+more),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), a, func(r *profiles.Room) error {
				p, err := r.Find(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return do(cmd.Context(), r, p, args[1:])
			})
		},
	}
}

func linkCommand(a *cli.App) *cobra.Command {
	var url string
	cmd := one(a, "link NAME", "Print a link that logs one browser in as a profile", `  qipu people link Anna
  qipu people link Anna --url https://games.example.org`, 0, func(ctx context.Context, r *profiles.Room, p people.Profile, _ []string) error {
		key, err := r.Invite(ctx, p.ID)
		if err != nil {
			return err
		}
		link := strings.TrimSuffix(url, "/") + "/enter#" + key
		return a.Say(cli.Figures{{Name: "type", Value: "link"}, {Name: "name", Value: p.Name}, {Name: "link", Value: link}}, "%s\n(good once, within two weeks; whoever has it is %s)", link, cli.Printable(p.Name))
	})
	cmd.Flags().StringVar(&url, "url", "http://localhost:7070", "the address of the server, as browsers know it")
	return cmd
}

func roleCommand(a *cli.App) *cobra.Command {
	return one(a, "role NAME ROLE", "Give a profile another role, which holds at once", `  qipu people role Anna editor
  qipu people role Anna guest --json`, 1, func(ctx context.Context, r *profiles.Room, p people.Profile, rest []string) error {
		role, err := roleOf(rest[0])
		if err != nil {
			return err
		}
		if err := r.SetRole(ctx, p.ID, role); err != nil {
			return err
		}
		p.Role = role
		return say(a, "person", &p, "%s is %s now", cli.Printable(p.Name), role)
	})
}

func renameCommand(a *cli.App) *cobra.Command {
	return one(a, "rename NAME NEW", "Give a profile another name", `  qipu people rename Anna "Anna B."
  qipu people rename "Anna B." Anna --json`, 1, func(ctx context.Context, r *profiles.Room, p people.Profile, rest []string) error {
		if err := r.Rename(ctx, p.ID, rest[0]); err != nil {
			return err
		}
		now, err := r.Profile(ctx, p.ID)
		if err != nil {
			return err
		}
		return say(a, "person", &now, "%s is %s now", cli.Printable(p.Name), cli.Printable(now.Name))
	})
}

func revokeCommand(a *cli.App) *cobra.Command {
	return one(a, "revoke NAME", "Revoke all keys of a profile, and log it out everywhere", `  qipu people revoke Anna
  qipu people revoke Anna --json`, 0, func(ctx context.Context, r *profiles.Room, p people.Profile, _ []string) error {
		if err := r.RevokeAll(ctx, p.ID); err != nil {
			return err
		}
		return say(a, "revoked", &p, "%s is logged out everywhere, and needs a new link", cli.Printable(p.Name))
	})
}

func removeCommand(a *cli.App) *cobra.Command {
	var yes bool
	cmd := one(a, "remove NAME", "Remove a profile with its keys and all that it keeps for itself", `  qipu people remove Bea --yes
  qipu people remove "Li Wei" --yes --json`, 0, func(ctx context.Context, r *profiles.Room, p people.Profile, _ []string) error {
		if !yes {
			if err := a.Confirm("remove %s, with keys, private tags, collections, queries and statistics?", cli.Printable(p.Name)); err != nil {
				return err
			}
		}
		if err := r.Remove(ctx, p.ID); err != nil {
			return err
		}
		return say(a, "removed", &p, "%s is removed: records and older backups stay as they are", cli.Printable(p.Name))
	})
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func exportCommand(a *cli.App) *cobra.Command {
	var out string
	cmd := one(a, "export NAME", "Write all that a profile keeps as one JSON file", `  qipu people export Anna
  qipu people export Anna --output anna.json`, 0, func(ctx context.Context, r *profiles.Room, p people.Profile, _ []string) error {
		all, err := r.Export(ctx, p.ID)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(all, "", "  ")
		if err != nil {
			return err
		}
		return a.Emit(append(text, '\n'), out)
	})
	cmd.Flags().StringVarP(&out, "output", "o", "", "the file (default: standard output)")
	return cmd
}
