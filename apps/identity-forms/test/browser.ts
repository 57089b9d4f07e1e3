/** A real Chromium, as people use it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function launchBrowser(environment: NodeJS.ProcessEnv): Promise<Browser> {
  return chromium.launch({
    executablePath: environment.CHROMIUM_PATH ?? findChromium(environment.PATH ?? ''),
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

/** What axe-core finds on a page, worst first: moderate and above. */
export async function axe(page: Page): Promise<AxeFinding[]> {
  // Our policy allows no script; the debugger's door is not bound by it.
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

function findChromium(path: string): string {
  for (const folder of path.split(delimiter)) {
    for (const name of NAMES) {
      if (existsSync(join(folder, name))) return join(folder, name);
    }
  }
  throw new Error(`no Chromium on PATH (${NAMES.join(', ')}) and CHROMIUM_PATH is not set`);
}
