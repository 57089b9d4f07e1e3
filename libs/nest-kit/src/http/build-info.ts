import { Gauge, type Registry } from 'prom-client';
import { BUILD_INFO } from '../config/build-info.js';

export const VERSION = BUILD_INFO.version;

/** The usual way to join what runs to other metrics: the value is 1, the labels say what it is. */
export function registerBuildInfo(registry: Registry, service: string): void {
  const { version, revision } = BUILD_INFO;
  const gauge = new Gauge({
    name: 'gatehouse_build_info',
    help: 'The running build: the value is always 1.',
    labelNames: ['service', 'version', 'revision', 'node'],
    registers: [registry],
  });
  gauge.set({ service, version, revision, node: process.versions.node }, 1);
}
