import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { requiredVariable } from '@gatehouse/testing';
import { type Browser, chromium, type Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts the Chromium of CHROMIUM_PATH, which `npm test` sets. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: requiredVariable('CHROMIUM_PATH'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface AxeFinding {
  id: string;
  impact: string;
  targets: string[];
}

/** The accessibility faults that axe-core finds on a page, of moderate impact and above. */
export async function axe(page: Page): Promise<AxeFinding[]> {
  // The page's policy allows no scripts, but the debugger protocol bypasses it.
  await page.evaluate(AXE);
  const findings = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
        }>;
      };
    };
    return (await axe.run()).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.flatMap(({ target }) => target),
    }));
  });
  return findings.filter(({ impact }) => impact !== 'minor');
}
