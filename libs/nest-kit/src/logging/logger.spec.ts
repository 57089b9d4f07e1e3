import { createLogger } from './logger.js';

const lineOf = (fields: object): Record<string, unknown> => {
  let line = '{}';
  createLogger('test', 'info', { destination: { write: (text) => (line = text) } }).info(
    fields,
    'told',
  );
  return JSON.parse(line) as Record<string, unknown>;
};

describe('createLogger', () => {
  it('redacts credentials by name', () => {
    const line = lineOf({ credential: 'gate_sk_1', body: { raw_key: 'gate_sk_2', name: 'n' } });
    expect(line).toMatchObject({
      credential: '[secret]',
      body: { raw_key: '[secret]', name: 'n' },
    });
  });

  it('shows the command or statement that failed, never its values', () => {
    const args = ['keys.verify', '{"data":{"credential":"gate_sk_1"}}'];
    const refused = Object.assign(new Error('NOPERM'), { command: { name: 'publish', args } });
    const failed = Object.assign(new Error('fault'), {
      query: 'SELECT $1',
      parameters: ['gate_sk_2'],
      detail: 'Key (secret)=(gate_sk_3) already exists.',
      driverError: Object.assign(new Error('fault'), { detail: 'gate_sk_4' }),
    });
    const lines = [refused, failed].map((err) => lineOf({ err }));
    expect(lines[0]).toMatchObject({ err: { message: 'NOPERM', command: 'publish' } });
    expect(lines[1]).toMatchObject({ err: { message: 'fault', query: 'SELECT $1' } });
    expect(JSON.stringify(lines)).not.toContain('gate_sk');
  });

  it('leaves a value that is not an error as it is', () => {
    expect(lineOf({ err: 'text' })).toMatchObject({ err: 'text' });
  });
});
