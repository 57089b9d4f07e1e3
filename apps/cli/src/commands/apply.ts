import { type Command } from 'commander';
import { type Step } from '../apply/plan.js';
import { EXIT, Failure } from '../failure.js';
import { Progress } from '../output/progress.js';
import { confirm } from '../output/prompt.js';
import { counted } from '../output/text.js';
import { type Session, withSession } from '../session.js';

interface ApplyOptions {
  readonly file: string;
  readonly dryRun?: boolean;
  readonly exitCode?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
}

export function addApply(program: Command): void {
  program
    .command('apply')
    .description(
      'Bring schemas, directories, webhooks, roles, links and trust rules into the state of a file',
    )
    .option('-f, --file <path>', 'the file', 'gatehouse.yaml')
    .option('--dry-run', 'only show what would change')
    .option('--exit-code', 'with --dry-run: end with 4 if something would change')
    .option('--prune', 'delete what the file does not have, of the kinds that it has')
    .option('--yes', 'do not ask before deleting')
    .action(withSession(apply));
}

async function apply(session: Session, options: ApplyOptions): Promise<void> {
  const { gatehouse, output } = session;
  // They load the YAML parser, which no other command needs.
  const { readGatehouseFile } = await import('../apply/gatehouse-file.js');
  const { planFor } = await import('../apply/kinds/index.js');
  const { planLines, planSummary } = await import('../apply/show-plan.js');
  const file = readGatehouseFile(options.file);
  const progress = new Progress();
  const onRead = (count: number) => progress.update(`Reading: ${counted(count, 'directory')}`);
  const plan = await planFor(gatehouse, file, { prune: options.prune ?? false, onRead });
  progress.end();
  if (!output.json) for (const line of planLines(plan, output.paint)) output.line(line);
  if (plan.problems.length > 0) throw new Failure(plan.problems.join('\n'));
  output.note(planSummary(plan));
  const steps = [...plan.steps, ...plan.deletions];
  if (options.dryRun) {
    for (const step of output.json ? steps : []) output.jsonLine(shownStep(step));
    if (options.exitCode && steps.length > 0) process.exitCode = EXIT.DIFFERENT;
    return;
  }
  const deleted = counted(plan.deletions.length, 'object');
  if (plan.deletions.length > 0) await confirm(`Delete ${deleted}?`, options.yes);
  await carryOut(session, steps);
}

/** Prints a secret as soon as there is one: what follows may fail, and it is not shown again. */
async function carryOut({ output }: Session, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const { action, object, run } = step;
    try {
      const secret = await run();
      if (output.json) output.jsonLine({ ...shownStep(step), secret: secret ?? undefined });
      else if (secret) output.line(`Secret of ${object}, which is not shown again: ${secret}`);
      output.note(`✓ ${action} ${object}`);
    } catch (error) {
      output.note(`✗ ${action} ${object}`);
      output.note(
        `${index} of ${steps.length} steps are done. The others are not: apply again when the reason is mended.`,
      );
      throw error;
    }
  }
}

function shownStep({ action, object, differences }: Step): object {
  return { action, object, differences };
}
