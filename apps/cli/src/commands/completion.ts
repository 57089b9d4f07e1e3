import { Argument, type Command } from 'commander';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script: eval "$(gatehouse completion bash)"')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const [{ SHELLS }, { placesOf }] = await Promise.all([
        import('../completion/scripts.js'),
        import('../completion/tree.js'),
      ]);
      process.stdout.write(SHELLS[shell](placesOf(program)));
    });
}
