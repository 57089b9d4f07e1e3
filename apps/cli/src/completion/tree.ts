import { type Command } from 'commander';

export interface Word {
  readonly name: string;
  readonly description: string;
}

/** A command, and what may follow it. */
export interface Place {
  /** The names of the command and of those around it, such as ` keys list`; empty for the program. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

/** All places of a program, itself first. */
export function placesOf(command: Command, path = '', inherited: readonly Word[] = []): Place[] {
  const help = command.createHelp();
  const options = [
    ...help.visibleOptions(command).map(({ long, short, description }) => ({
      name: long ?? short ?? '',
      description,
    })),
    ...inherited,
  ];
  const children = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const commands = children.map((each) => ({ name: each.name(), description: each.description() }));
  const shared =
    path === '' ? options.filter(({ name }) => !['--help', '--version'].includes(name)) : inherited;
  return [
    { path, commands, options },
    ...children.flatMap((child) => placesOf(child, `${path} ${child.name()}`, shared)),
  ];
}
