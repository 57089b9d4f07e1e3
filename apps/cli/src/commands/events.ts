import { type Command } from 'commander';
import { chosenLog, type LogChoice } from '../events/event-log.js';
import { eventLine } from '../events/event-view.js';
import { follow, untilInterrupted } from '../events/follow.js';
import { EXIT, Failure } from '../failure.js';
import { counted } from '../output/text.js';
import { timeOf } from '../output/times.js';
import { type Session, withSession } from '../session.js';
import { listed } from './options.js';

interface TailOptions extends LogChoice {
  readonly type?: string[];
  readonly since?: string;
}

interface ReplayOptions extends LogChoice {
  readonly allDirectories?: boolean;
  readonly from?: string;
  readonly after?: string;
  readonly until?: string;
  readonly type?: string[];
  readonly endpoint?: string;
}

interface ResendOptions extends LogChoice {
  readonly endpoint?: string;
}

export function addEvents(program: Command): void {
  const events = program
    .command('events')
    .description('Follow the event log, and send events again');
  withLog(events.command('tail').description('Print events as they come'), 'all directories')
    .option('--tenant <tenant>', 'of the directories of a tenant, with --product')
    .option('--product <product>', 'of the directories of a product')
    .option('--type <type>', 'only this type, may be repeated', listed)
    .option('--since <event>', 'begin after this id, or at the "beginning"; by default now')
    .action(withSession(tail));
  withLog(events.command('replay').description('Send a part of the log to its webhooks again'))
    .option('--all-directories', 'of all directories')
    .option('--from <time>', 'begin at a time, or so long ago, such as 24h')
    .option('--after <event>', 'begin after the event with this id')
    .option('--until <time>', 'end at a time, or so long ago')
    .option('--type <type>', 'only this type, may be repeated', listed)
    .option('--endpoint <id>', 'only to this webhook endpoint')
    .action(withSession(replay));
  withLog(events.command('resend').description('Deliver an event again'), 'directories')
    .argument('<event>', 'id of the event')
    .option('--endpoint <id>', 'only to this webhook endpoint')
    .action(withSession(resend));
}

/** Adds the options that choose a log. */
export function withLog(command: Command, usual?: string): Command {
  return command
    .option('--directory <directory>', `of a directory${usual ? `; by default of ${usual}` : ''}`)
    .option('--keys', 'of keys')
    .option('--identities', 'of identities');
}

/** Says on stderr that Gatehouse is away, or back. */
export function reachability({ output }: Session): (isReachable: boolean) => void {
  return (isReachable) =>
    output.note(isReachable ? 'Gatehouse is back.' : 'Gatehouse is not reachable. Trying again.');
}

async function tail(
  session: Session,
  { type: types, since, ...choice }: TailOptions,
): Promise<void> {
  const { gatehouse, output } = session;
  const log = await chosenLog(gatehouse, choice);
  const signal = untilInterrupted();
  for await (const event of follow(log, {
    since,
    types,
    signal,
    onReachable: reachability(session),
  })) {
    if (output.json) output.jsonLine(event);
    else output.line(eventLine(event));
  }
}

async function replay({ gatehouse, output }: Session, options: ReplayOptions): Promise<void> {
  const { allDirectories, from, after, until, type, endpoint, ...choice } = options;
  if (!allDirectories && !choice.directory && !choice.keys && !choice.identities) {
    const choices = '--directory, --all-directories, --keys or --identities';
    throw new Failure(`Say whose events to send again: ${choices}.`, EXIT.USAGE);
  }
  if ((from === undefined) === (after === undefined)) {
    throw new Failure('Say where to begin: --from a time, or --after an event.', EXIT.USAGE);
  }
  const log = await chosenLog(gatehouse, choice);
  const started = await log.replay({
    from_time: from && timeOf(from),
    after,
    until: until && timeOf(until),
    types: type,
    endpoint_id: endpoint,
  });
  output.result(started, [['Replaying to', counted(started.endpoints, 'webhook endpoint')]]);
}

async function resend({ gatehouse, output }: Session, id: string, options: ResendOptions) {
  const { endpoint, ...choice } = options;
  const log = await chosenLog(gatehouse, choice);
  const event = await log.resend(id, endpoint);
  output.result(event, [
    ['Resending', event.event],
    ['Event', event.id],
  ]);
}
