// @ts-check
// Runs the files of tests in the real global scope of the worker, not in a `vm` context: together with
// runtime.mjs, each worker loads a module once, and not once for each file of tests.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where jest-circus keeps the handlers of a run; those of one file must not see the next. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

export default class BareEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #console = console;
  #exit = process.exit;
  #variables = { ...process.env };

  /** @param {import('@jest/environment').JestEnvironmentConfig} config */
  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const mocks = this.moduleMocker;
    const timers = this.fakeTimersModern;
    Object.assign(globalThis, {
      jest: {
        fn: mocks.fn.bind(mocks),
        spyOn: mocks.spyOn.bind(mocks),
        restoreAllMocks: () => mocks.restoreAllMocks(),
        useFakeTimers: timers.useFakeTimers.bind(timers),
        useRealTimers: timers.useRealTimers.bind(timers),
        setSystemTime: timers.setSystemTime.bind(timers),
        advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
        advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
      },
    });
  }

  async setup() {}

  /** Undoes what a file of tests, or Jest for it, may have changed. */
  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#variables)) delete process.env[name];
    }
    Object.assign(process.env, this.#variables);
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
  }

  /** Jest asks for it, but only its own runtime would run code in it. */
  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
