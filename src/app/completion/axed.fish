# fish completion of axed; the program itself generates the candidates.
function __axed_candidates
	set -l words (commandline -opc)
	set -l program $words[1]
	set -e words[1]
	set -l last (commandline -ct)
	command $program complete -- $words "$last" 2>/dev/null
end

complete -c axed -f -a '(__axed_candidates)'
