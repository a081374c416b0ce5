# bash completion of axed; the program itself generates the candidates.

# Remove quotes and backslashes without evaluating anything typed.
_axed_plain() {
	local word=${1//[\\\'\"]/}

	[[ $word == '~/'* ]] && word=$HOME/${word:2}
	plain=$word
}

_axed() {
	local line=${COMP_LINE:0:COMP_POINT} words=() rest word plain breaks head i

	# Readline also splits at = and :, so join words that touch in the line.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		rest=${line#"${line%%[![:space:]]*}"}
		word=${COMP_WORDS[i]}
		((i == COMP_CWORD)) && word=$rest
		if ((i == 0)) || [[ $rest != "$line" ]]; then
			words+=("$word")
		else
			words[${#words[@]} - 1]+=$word
		fi
		line=${rest#"$word"}
	done
	for i in "${!words[@]}"; do
		_axed_plain "${words[i]}"
		words[i]=$plain
	done

	# Readline replaces only what follows its last word break.
	breaks=${COMP_WORDBREAKS//[^=:]/}
	head=${words[${#words[@]} - 1]}
	head=${breaks:+${head%"${head##*[$breaks]}"}}
	COMPREPLY=()
	while IFS= read -r word; do
		word=${word%%$'\t'*}
		[[ $word == *[=/] ]] && compopt -o nospace 2>/dev/null
		printf -v word %q "${word#"$head"}"
		COMPREPLY+=("$word")
	done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}

complete -F _axed axed
