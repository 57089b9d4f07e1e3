import { type Command } from 'commander';
import { chosenLog, type LogChoice, type LogEvent } from '../events/event-log.js';
import { eventLine } from '../events/event-view.js';
import { follow, untilInterrupted } from '../events/follow.js';
import { EXIT, Failure } from '../failure.js';
import { type Attempt, attempts } from '../listen/forward.js';
import { listenSecret } from '../listen/secret.js';
import { type Output } from '../output/output.js';
import { counted } from '../output/text.js';
import { openSession, type Session } from '../session.js';
import { reachability, withLog } from './events.js';
import { listed } from './options.js';

interface ListenOptions extends LogChoice {
  readonly forwardTo?: string;
  readonly events?: string[];
  readonly since?: string;
  readonly printSecret?: boolean;
}

export function addListen(program: Command): void {
  const command = program
    .command('listen')
    .description('Forward events to a receiver on this machine, signed as webhooks');
  withLog(command, 'all directories')
    .option('--forward-to <url>', 'where to post them, such as localhost:3000/hook')
    .option('--events <types>', 'only these types, such as user.created,user.deleted', listed)
    .option('--since <event>', 'begin after this id, or at the "beginning"; by default now')
    .option('--print-secret', 'print the secret that signs them, and end')
    .action((options: ListenOptions, self: Command) => run(options, self));
}

async function run(options: ListenOptions, command: Command): Promise<void> {
  if (options.printSecret) process.stdout.write(`${listenSecret()}\n`);
  else await listen(openSession(command), options);
}

async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { gatehouse, output } = session;
  const { forwardTo, events: types, since } = options;
  const receiver = { url: addressOf(forwardTo), secret: listenSecret() };
  const log = await chosenLog(gatehouse, options);
  const signal = untilInterrupted();
  output.note(`Forwarding to ${receiver.url}. The secret of these webhooks is ${receiver.secret}`);
  let count = 0;
  for await (const event of follow(log, {
    since,
    types,
    signal,
    onReachable: reachability(session),
  })) {
    for await (const attempt of attempts(event, receiver, signal)) report(output, event, attempt);
    count += 1;
  }
  output.note(`Stopped after ${counted(count, 'event')}.`);
}

/** @throws Failure */
function addressOf(text: string | undefined): string {
  const url = text && !/^https?:\/\//.test(text) ? `http://${text}` : text;
  if (url !== undefined && URL.canParse(url)) return new URL(url).href;
  throw new Failure('Pass --forward-to with an address such as localhost:3000/hook.', EXIT.USAGE);
}

function report(output: Output, event: LogEvent, attempt: Attempt): void {
  const { number, status, error, durationMs, isDelivered, nextInMs } = attempt;
  if (output.json) {
    const { id, event: type } = event;
    output.jsonLine({ id, event: type, attempt: number, status, error, duration_ms: durationMs });
    return;
  }
  const result = status === undefined ? (error ?? '') : `${status} in ${durationMs} ms`;
  output.line(`${eventLine(event)}  ${output.paint(isDelivered ? 'good' : 'bad', `→ ${result}`)}`);
  if (isDelivered) return;
  output.note(
    nextInMs === undefined
      ? `Given up after ${number} attempts. Going on with the next event.`
      : `Trying again in ${nextInMs / 1000} s. Later events wait.`,
  );
}
