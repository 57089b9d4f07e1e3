/** Completion scripts of three shells. Each walks the words of the line to a place, and offers what may follow. */
import { type Place, type Word } from './tree.js';

export const SHELLS = { bash, zsh, fish } as const;

const words = ({ commands, options }: Place): readonly Word[] => [...commands, ...options];
/** In single quotes, in which no shell expands anything. */
const quoted = (text: string) => `'${text.replaceAll("'", '')}'`;
/** Patterns of a `case`: all places but the program. */
const patterns = (places: readonly Place[]) =>
  places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|');

function bash(places: readonly Place[]): string {
  const cases = places.map(
    (place) =>
      `    ${quoted(place.path)}) words=${quoted(
        words(place)
          .map(({ name }) => name)
          .join(' '),
      )} ;;`,
  );
  return `# eval "$(gatehouse completion bash)"
_gatehouse() {
  local at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${patterns(places)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatehouse gatehouse
`;
}

function zsh(places: readonly Place[]): string {
  const item = ({ name, description }: Word) =>
    quoted(`${name}:${description.replaceAll(':', '\\:')}`);
  const cases = places.map(
    (place) => `    ${quoted(place.path)}) candidates=(${words(place).map(item).join(' ')}) ;;`,
  );
  return `#compdef gatehouse
# eval "$(gatehouse completion zsh)"
_gatehouse() {
  local at='' i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${patterns(places)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe gatehouse candidates || _files
}
if [[ "\${funcstack[1]}" == _gatehouse ]]; then _gatehouse "$@"; else compdef _gatehouse gatehouse; fi
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap((place) =>
    words(place).map(({ name, description }) => {
      const word = name.startsWith('--') ? `-l ${name.slice(2)}` : `-f -a ${name}`;
      return `complete -c gatehouse -n "__gatehouse_at ${quoted(place.path)}" ${word} -d ${quoted(description)}`;
    }),
  );
  return `# gatehouse completion fish | source
function __gatehouse_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${patterns(places).replaceAll('|', ' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}
