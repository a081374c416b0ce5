#!/bin/sh
# Makes the pictures in screenshots/ in a real terminal:  tests/screenshots.sh [AXED]
#
# Needs (Debian): xvfb xterm imagemagick tmux fonts-dejavu-core.  A tmux session of exact size runs
# the commands, an xterm on a virtual screen is attached to it, and its window is the picture.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
axed=${1:-$top/build/axed}
display=:97
folder=$(mktemp -d)
trap 'tmux -L axed-shots kill-server 2>/dev/null || true; kill $xvfb 2>/dev/null || true; rm -rf "$folder"' EXIT
Xvfb $display -screen 0 1400x900x24 >/dev/null 2>&1 &
xvfb=$!
cp "$axed" "$folder/axed"
cp "$top"/tests/models/dynamic_rnn.onnx "$top"/tests/models/pinned_reshape.onnx "$folder"

# shot NAME COMMAND: what the terminal shows after the command
shot() {
	tmux -L axed-shots -f /dev/null new-session -d -x 110 -y 30 -s shot "cd $folder && PATH=$folder:\$PATH PS1='\$ ' exec sh"
	tmux -L axed-shots set -g status off
	tmux -L axed-shots send-keys -t shot "clear; $2" Enter
	sleep 1
	DISPLAY=$display xterm -fa 'DejaVu Sans Mono' -fs 12 -geometry 110x30 -bg '#10141a' -fg '#d8dee9' -b 4 \
		-e tmux -L axed-shots attach -t shot &
	sleep 2
	DISPLAY=$display import -window root -trim +repage "$top/screenshots/$1.png"
	tmux -L axed-shots kill-server
	sleep 1
}

mkdir -p "$top/screenshots"
shot show 'axed show --color=always --demo'
shot check 'axed check pinned_reshape.onnx; axed axes pinned_reshape.onnx; axed explain dynamic_rnn.onnx output:0'
