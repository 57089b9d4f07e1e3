import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Layout, toolsFolder } from '#local-stack/layout.mjs';
import { unpackProgram } from '#local-stack/programs.mjs';

const PACKAGE = 'libnginx-mod-http-js';

/**
 * The nginx of Debian with its module for scripts, unpacked once: the module fits no other nginx.
 * @returns settings of the gateway
 * @throws Error that says what to install
 */
export async function provideNjs(layout: Layout): Promise<Record<string, string>> {
  const { signal } = new AbortController();
  const nginx = await unpackProgram({ names: ['nginx'], debian: PACKAGE }, { layout, signal });
  if ('missing' in nginx) throw new Error(nginx.missing);
  const root = join(toolsFolder, 'debian', PACKAGE);
  const module = join(root, 'usr/lib/nginx/modules/ngx_http_js_module.so');
  if (!existsSync(module)) throw new Error(`${PACKAGE} holds no ${module}`);
  return { NGINX_PATH: nginx.path, NJS_MODULE: module };
}
