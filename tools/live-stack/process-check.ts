import { type SecretRecorder } from '@gatehouse/testing';
import { type RunningApp, type WholeStack } from './whole-stack.js';

/** Every process lives, is ready, and has logged neither an error nor a secret. */
export async function processFaults(stack: WholeStack, secrets: SecretRecorder): Promise<string[]> {
  const faults: string[] = [];
  for (const app of Object.keys(stack.services) as RunningApp[]) {
    const service = stack.services[app];
    const { url, process: child } = service;
    if (child.exitCode !== null || child.signalCode !== null) {
      faults.push(`${app} has ended with ${child.exitCode ?? child.signalCode}`);
      continue;
    }
    const { status } = await fetch(`${url}/health/ready`);
    if (status !== 200) faults.push(`${app} is not ready: ${status}`);
    const printed = service.logs();
    const found = [...secrets.findIn(printed), ...stack.secrets.findIn(printed)];
    if (found.length > 0) faults.push(`the log of ${app} contains ${found.length} secrets`);
    const errors = printed.split('\n').filter((line) => line.includes('"level":"error"'));
    if (errors.length > 0) {
      faults.push(`${app} logged ${errors.length} errors, such as ${errors[0]?.slice(0, 400)}`);
    }
  }
  return faults;
}
