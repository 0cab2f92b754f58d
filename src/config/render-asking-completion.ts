/** Shells that completion is rendered for. */
export type CompletionShell = 'bash' | 'zsh' | 'fish';

/** The word by which a program is asked what the last of the words behind it may become. */
export const completeWord = '__complete';

/**
 * A completion script that asks the program: for lines of a word, a tab and an explanation, and a last line `:words`, `:nospace`,
 * `:files` or `:folders`. A program that was typed with its path is asked by that, else the one on PATH.
 */
export function renderAskingCompletion(name: string, shell: CompletionShell): string {
  if (shell === 'bash') return renderBash(name);
  return shell === 'zsh' ? renderZsh(name) : renderFish(name);
}

function renderBash(name: string): string {
  return `# bash completion for ${name}
_${name}_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} program=${name} index piece current prefix='' breaks word
  local -a words=()
  # Bash parts words at = and : too; what no blank parts is one word.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    if [[ $index -eq 0 || $line == [[:space:]]* ]]; then
      words+=('')
      line=\${line#"\${line%%[![:space:]]*}"}
    fi
    piece=\${COMP_WORDS[index]}
    ((index == COMP_CWORD)) && piece=$line
    words[\${#words[@]} - 1]+=$piece
    line=\${line#"$piece"}
  done
  words=("\${words[@]//[\\"\\'\\\\]/}")
  [[ \${words[0]} == */* ]] && program=\${words[0]/#\\~\\//$HOME/}
  current=\${words[\${#words[@]} - 1]}
  # What is offered replaces only what stands behind the last of these.
  breaks=\${COMP_WORDBREAKS//[^=:]/}
  [[ -n $breaks ]] && prefix=\${current%"\${current##*[$breaks]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :nospace) compopt -o nospace ;;
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      :*) ;;
      *) COMPREPLY+=("\${word#"$prefix"}") ;;
    esac
  done < <("$program" ${completeWord} "\${words[@]:1}" 2>/dev/null)
}
complete -F _${name}_complete ${name}
`;
}

function renderZsh(name: string): string {
  return `#compdef ${name}
_${name}() {
  local program=${name} mode line word help
  local -a answer entries
  [[ \${words[1]} == */* ]] && program=\${\${(Q)words[1]}/#\\~\\//$HOME/}
  answer=("\${(@f)$("$program" ${completeWord} "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  mode=\${answer[-1]}
  answer[-1]=()
  case $mode in
    :files | :folders)
      [[ $PREFIX == -*=* ]] && compset -P '*='
      if [[ $mode == :files ]]; then _files; else _files -/; fi
      return
      ;;
  esac
  for line in "\${answer[@]}"; do
    word=\${line%%$'\\t'*}
    help=\${line#*$'\\t'}
    entries+=("\${word//:/\\\\:}\${help:+:$help}")
  done
  (( $#entries )) || return 1
  if [[ $mode == :nospace ]]; then _describe '${name}' entries -S ''; else _describe '${name}' entries; fi
}
${registerZsh(name)}`;
}

/** The end of a script for zsh, which is read by the user's own files, or by the shell when it first needs the function. */
export function registerZsh(name: string): string {
  return `if [[ \${funcstack[1]} == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function renderFish(name: string): string {
  return `# fish completion for ${name}
function __${name}_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program ${name}
    if string match -q -- '*/*' $words[1]
        set program (string replace -r -- '^~/' "$HOME/" $words[1])
    end
    set -e words[1]
    set -l answer (command $program ${completeWord} $words "$current" 2>/dev/null)
    set -l mode $answer[-1]
    set -e answer[-1]
    set -l prefix (string match -r -- '^-[^=]*=' "$current")
    set -l rest (string replace -r -- '^-[^=]*=' '' "$current")
    switch "$mode"
        case ':files'
            for path in (__fish_complete_path "$rest")
                echo "$prefix$path"
            end
        case ':folders'
            for path in (__fish_complete_directories "$rest" '')
                echo "$prefix$path"
            end
        case '*'
            for line in $answer
                echo $line
            end
    end
end
complete -c ${name} -f -a '(__${name}_complete)'
`;
}
