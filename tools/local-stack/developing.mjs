// @ts-check
import { join } from 'node:path';
import { openBundle, programsOf } from '#bundle/bundler.mjs';
import { startApplication, untilServing } from './applications.mjs';
import { printFault, StackFault } from './fault.mjs';
import { untilAborted } from './interruption.mjs';
import { replicasOf } from './ports.mjs';
import { readRecords } from './processes.mjs';
import { runningStack } from './running-settings.mjs';
import { runsDetached } from './state.mjs';
import { stopProcess } from './stopping.mjs';

/**
 * `npm run dev`: bundles a service at each change of its sources, and restarts it in the stack that runs.
 * The service stays there when this ends.
 * @param {import('./layout.mjs').Layout} layout
 * @param {import('./ports.mjs').AppName} app
 * @param {import('./progress.mjs').Progress} progress
 * @param {AbortSignal} signal
 */
export async function developService(layout, app, progress, signal) {
  const settings = runningStack(layout);
  if (settings === undefined || !runsDetached(layout)) {
    throw new StackFault(
      'No stack runs in the background',
      'Start one (npm start -- --detach), then try again.',
    );
  }
  const replica = replicasOf(settings.plan, 1).find(({ name }) => name === app);
  if (replica === undefined) throw new StackFault(`The stack has no ${app}`);
  // Not `dist`, where tests and other commands start their services from.
  const folder = join('.local', 'dev', app);
  const restart = async () => {
    const record = readRecords(layout).find(({ name }) => name === app);
    if (record !== undefined) await stopProcess(record, signal);
    const running = startApplication(layout, settings, replica, folder);
    running.child.unref();
    await untilServing(running, replica.port, signal);
  };
  /** One restart at a time; a change during one leads to the next. */
  let restarts = Promise.resolve();
  const whenBuilt = () => {
    restarts = restarts
      .then(() => progress.step(`restart ${app}`, restart))
      .catch((error) => {
        if (!signal.aborted) printFault(error);
      });
  };
  const bundle = await openBundle(programsOf(app), folder, { whenBuilt });
  try {
    await bundle.watch();
    progress.say(`Watching the sources of ${app}. Ctrl-C ends this; the stack runs on.`);
    await untilAborted(signal);
    await restarts;
  } finally {
    await bundle.dispose();
  }
}
