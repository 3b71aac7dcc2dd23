#!/bin/sh
# Trains the large net, and the small one by it: sh large.sh GAMES SMALL.NET RUN
# About 25 minutes on one GPU. Games that are played out and games of small boards are
# made with the small net of before.
games=$(realpath "$1") small=$(realpath "$2") run=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$run/rows"
export PYTHONUNBUFFERED=1
py() { log=$1; shift; program=$1; shift; python3 "$here/$program" "$@" >"$run/$log.log" 2>&1; }
python3 "$here/weights.py" "$small" "$run/rows/net.pt"
[ -f "$run/labels.npz" ] || py settle settle.py --games "$games" --net "$small" --out "$run/labels.npz"
py large train.py --games "$games" --out "$run" --name large --blocks 10 --width 128 --rate 3e-3 --batch 3072 --masters 0.55 --labels "$run/labels.npz" --seconds 740 --of 740 &
sleep 15
for board in "9 2048 5 24" "13 1024 9 16" "7 512 2 4"; do
  set -- $board
  py "rows$1" selfplay.py --side "$1" --games "$2" --threads "$3" --most "$4" --sims 32 --weights "$run/rows/net.pt" --rows "$run/rows" --seconds 700 &
done
sleep 400
py large2 further.py --games "$games" --from "$run/large.pt" --out "$run" --name large --masters 0.7 --labels "$run/labels.npz" --rows "$run/rows" --seconds 230 --of 230 &
sleep 30
py pupil further.py --games "$games" --from "$small" --teacher "$run/large-further.pt" --out "$run" --name pupil --masters 0.7 --rate 5e-4 --labels "$run/labels.npz" --rows "$run/rows" --seconds 230 --of 230 &
wait
