/** The console in a browser, as a person uses it. */
import {
  ConsolePerson,
  createTestDatabase,
  launchBrowser,
  orClose,
  type TestDatabase,
} from '@gatehouse/testing';
import { type BrowserContextOptions } from 'playwright-core';
import { ADMIN_KEY, openSmall, type SmallGate } from '../gate.js';
import { Administrator } from '../visitor.js';

/** A process with all services, on a database of its own. */
export interface ConsoleStack {
  readonly gate: SmallGate;
  readonly database: TestDatabase;
  readonly administrator: Administrator;
  /** A browser of its own for each person. @param options such as scripts that are turned off */
  open(options?: BrowserContextOptions): Promise<ConsolePerson>;
  close(): Promise<void>;
}

export async function openConsole(): Promise<ConsoleStack> {
  const database = await createTestDatabase();
  const closing: (() => Promise<unknown>)[] = [() => database.drop()];
  const close = async () => {
    for (const part of closing.splice(0).reverse()) await part();
  };
  return orClose(close, async () => {
    const gate = await openSmall(database);
    closing.push(() => gate.close());
    const browser = await launchBrowser();
    closing.push(() => browser.close());
    const { adminUrl } = gate.process;
    const open: ConsoleStack['open'] = (options) =>
      ConsolePerson.open(browser, { adminUrl, adminKey: ADMIN_KEY }, options);
    return { gate, database, administrator: new Administrator(gate), open, close };
  });
}
