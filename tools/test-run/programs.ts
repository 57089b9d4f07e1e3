/** Programs that tests start; the tests that need one fail without it. */
import { reasonOf } from '#local-stack/fault.mjs';
import { provideNginx } from '#local-stack/gateway.mjs';
import { type ProvisionContext } from '#local-stack/programs.mjs';
import { type Progress } from '#local-stack/progress.mjs';
import { provideChromium } from './browser.js';
import { provideFaketime } from './faketime.js';
import { provideHelm } from './helm.js';
import { providePromtool } from './promtool.js';

interface NeededProgram {
  name: string;
  /** In which tests find its path. */
  variable: string;
  tests: string;
  /** @throws Error with what the user can do */
  provide: (context: ProvisionContext) => Promise<string>;
}

export const NGINX: NeededProgram = {
  name: 'nginx',
  variable: 'NGINX_PATH',
  tests: 'gateways',
  provide: async (context) => {
    const nginx = await provideNginx(context);
    if ('path' in nginx) return nginx.path;
    throw new Error(nginx.missing);
  },
};
export const CHROMIUM: NeededProgram = {
  name: 'chromium',
  variable: 'CHROMIUM_PATH',
  tests: 'pages',
  provide: provideChromium,
};
export const PROMTOOL: NeededProgram = {
  name: 'promtool',
  variable: 'PROMTOOL_PATH',
  tests: 'alerts',
  provide: providePromtool,
};
export const HELM: NeededProgram = {
  name: 'helm',
  variable: 'HELM_PATH',
  tests: 'the Helm chart',
  provide: provideHelm,
};
/** The library that steps clocks. */
export const FAKETIME: NeededProgram = {
  name: 'faketime',
  variable: 'FAKETIME_LIBRARY',
  tests: 'clocks',
  provide: provideFaketime,
};

/** Finds a program, or installs it, and prints a step for it. */
export function provideProgram(
  { name, variable, tests, provide }: NeededProgram,
  context: ProvisionContext,
  progress: Progress,
): Promise<NodeJS.ProcessEnv> {
  return progress.step<NodeJS.ProcessEnv>(name, async (note) => {
    try {
      const path = await provide(context);
      note(path);
      return { [variable]: path };
    } catch (error) {
      note(`none: tests of ${tests} will fail\n${reasonOf(error)}`, '✗');
      return {};
    }
  });
}
