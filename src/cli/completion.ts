import { type CliCommand, type Option, optionName, shortOf } from './cliCommand.ts';

type CommandsByName = ReadonlyMap<string, CliCommand>;

/**
 * Gives the script that completes the commands in a shell: `bash`, `zsh`, `fish`, and PowerShell for any other name.
 */
export function completionOf(shell: string, commands: CommandsByName): readonly string[] {
  const own = new Map([...commands].map(([name, command]) => [name, { ...command, options: withHelp(command) }]));
  switch (shell) {
    case 'bash':
      return bash(own);
    case 'zsh':
      return zsh(own);
    case 'fish':
      return fish(own);
    default:
      return powershell(own);
  }
}

function withHelp({ options }: CliCommand): readonly Option[] {
  return [...options, ['--help', 'Show this help']];
}

/** Gives all spellings of options: `-e --endpoint`. */
function spellings(options: readonly Option[]): readonly string[] {
  return options.flatMap((option) => {
    const name = optionName(option);
    const short = shortOf(name);
    return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
  });
}

/** The kind of value after an option: the few words that it accepts, a file, a folder, or something else. */
type ValueKind = 'none' | 'file' | 'folder' | 'other' | readonly string[];

function valueKind([form, , values]: Option): ValueKind {
  const [, word] = form.split(' ');
  if (values) return values;
  if (word === undefined) return 'none';
  return word === 'FILE' ? 'file' : word === 'DIR' ? 'folder' : 'other';
}

/** Gives the words or files that operands may be. */
function operandOf({ form, words }: CliCommand): ValueKind {
  if (words) return words;
  return /^(?:FILE|STATE|LEFT)/.test(form) ? 'file' : 'other';
}

/** Puts a text between single quotes of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Puts a meaning on one line. */
function brief(meaning: string): string {
  return meaning.replace(/\s+/g, ' ');
}

function bash(commands: CommandsByName): readonly string[] {
  const cases = [...commands].flatMap(([name, command]) => {
    const values = command.options.flatMap((option) => {
      const value = valueKind(option);
      if (value === 'none') return [];
      const words = spellings([option]).join('|');
      return [`        ${words}) ${bashReply(value)}; return;;`];
    });
    const operand = operandOf(command);
    return [
      `    ${name})`,
      ...(values.length > 0 ? ['      case "$before" in', ...values, '      esac'] : []),
      `      if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W ${quoted(spellings(command.options).join(' '))} -- "$word")); return; fi`,
      `      ${bashReply(operand)};;`,
    ];
  });
  return [
    '_chain_inspector() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  COMPREPLY=()',
    `  if (( COMP_CWORD == 1 )); then COMPREPLY=($(compgen -W ${quoted([...commands.keys(), 'help', '--help', '--version'].join(' '))} -- "$word")); return; fi`,
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases,
    `    help) COMPREPLY=($(compgen -W ${quoted([...commands.keys()].join(' '))} -- "$word"));;`,
    '  esac',
    '}',
    'complete -o filenames -F _chain_inspector chain-inspector',
  ];
}

function bashReply(value: ValueKind): string {
  if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$word"))';
  if (value === 'folder') return 'COMPREPLY=($(compgen -d -- "$word"))';
  return typeof value === 'string' ? 'COMPREPLY=()' : `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$word"))`;
}

function zsh(commands: CommandsByName): readonly string[] {
  const described = [...commands].map(([name, { summary }]) => quoted(`${name}:${zshText(summary)}`));
  const cases = [...commands].flatMap(([name, command]) => {
    const specs = command.options.flatMap((option) => spellings([option]).map((word) => zshOption(word, option)));
    return [`    ${name}) _arguments -s ${[...specs, quoted(`*: :${zshValue(operandOf(command))}`)].join(' ')};;`];
  });
  return [
    '#compdef chain-inspector',
    '_chain_inspector() {',
    '  local -a names',
    `  names=(${described.join(' ')} 'help:Show help for a command')`,
    '  if (( CURRENT == 2 )); then _describe command names; return; fi',
    `  local name="\${words[2]}"`,
    '  shift words; (( CURRENT-- ))',
    '  case "$name" in',
    ...cases,
    '    help) _describe command names;;',
    '  esac',
    '}',
    'compdef _chain_inspector chain-inspector',
  ];
}

function zshText(text: string): string {
  return brief(text).replace(/[:[\]\\]/g, (letter) => `\\${letter}`);
}

function zshOption(word: string, option: Option): string {
  const value = valueKind(option);
  const spec = `*${word}[${zshText(option[1])}]`;
  return quoted(value === 'none' ? spec : `${spec}: :${zshValue(value)}`);
}

function zshValue(value: ValueKind): string {
  if (value === 'file') return '_files';
  if (value === 'folder') return '_files -/';
  return typeof value === 'string' ? ' ' : `(${value.join(' ')})`;
}

function fish(commands: CommandsByName): readonly string[] {
  const line = (when: string, rest: string): string => `complete -c chain-inspector -n ${quoted(when)} ${rest}`;
  const first = [...commands].map(([name, { summary }]) =>
    line('__fish_use_subcommand', `-f -a ${name} -d ${quoted(brief(summary))}`),
  );
  const options = [...commands].flatMap(([name, command]) => {
    const when = `__fish_seen_subcommand_from ${name}`;
    const operand = operandOf(command);
    const files = operand === 'file' ? '-F' : typeof operand === 'string' ? '-f' : `-f -a ${quoted(operand.join(' '))}`;
    return [line(when, files), ...command.options.map((option) => line(when, fishOption(option)))];
  });
  return [
    ...first,
    line('__fish_use_subcommand', `-f -a help -d ${quoted('Show help for a command')}`),
    line('__fish_seen_subcommand_from help', `-f -a ${quoted([...commands.keys()].join(' '))}`),
    ...options,
  ];
}

function fishOption(option: Option): string {
  const name = optionName(option);
  const short = shortOf(name);
  const value = valueKind(option);
  const said = `${short === undefined ? '' : `-s ${short} `}-l ${name} -d ${quoted(brief(option[1]))}`;
  if (value === 'none') return said;
  if (value === 'file') return `${said} -r -F`;
  if (value === 'folder') return `${said} -x -a ${quoted('(__fish_complete_directories)')}`;
  return typeof value === 'string' ? `${said} -x` : `${said} -x -a ${quoted(value.join(' '))}`;
}

function powershell(commands: CommandsByName): readonly string[] {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]): string => `@(${words.map(text).join(', ')})`;
  const tables = [...commands].map(([name, command]) => {
    const values = command.options.flatMap((option) => {
      const value = valueKind(option);
      return typeof value === 'string' ? [] : spellings([option]).map((word) => `${text(word)} = ${list(value)}`);
    });
    const operand = operandOf(command);
    const operands = list(typeof operand === 'string' ? [] : operand);
    return `    ${text(name)} = @{ options = ${list(spellings(command.options))}; operands = ${operands}; values = @{ ${values.join('; ')} } }`;
  });
  return [
    'Register-ArgumentCompleter -Native -CommandName chain-inspector -ScriptBlock {',
    '  param($word, $tree, $position)',
    '  $commands = @{',
    ...tables,
    '  }',
    '  $typed = @($tree.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })',
    `  $words = if ($typed.Count -le 1) { ${list([...commands.keys(), 'help', '--help', '--version'])} }`,
    "  elseif ($typed[1] -eq 'help') { $commands.Keys }",
    '  elseif ($commands.ContainsKey($typed[1])) {',
    '    $command = $commands[$typed[1]]',
    '    if ($command.values.ContainsKey($typed[-1])) { $command.values[$typed[-1]] } else { $command.operands + $command.options }',
    '  }',
    '  $words | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }',
    '}',
  ];
}
