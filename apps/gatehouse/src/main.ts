/** `main.js`: all services in one process. `main.js COMMAND`: a command with the settings of that process. */
import { exitOnConfigError } from '@gatehouse/kit/settings';
import { runProcess } from '@gatehouse/nest-kit/http';
import { printAdminKey } from './admin-key.js';
import { loadConfigs } from './config.js';
import { startGatehouse } from './gatehouse.js';
import { rotateSigningKeyOf } from './signing-key.js';

const COMMANDS = new Map([
  ['admin-key', printAdminKey],
  ['rotate-signing-key', rotateSigningKeyOf],
]);

const command = COMMANDS.get(process.argv[2] ?? '');
const configs = exitOnConfigError(() => loadConfigs());

if (command) {
  // The rest are its own arguments.
  process.argv.splice(2, 1);
  void command(configs);
} else {
  void runProcess(
    { name: 'gatehouse', config: configs.gatehouse, health: { database: true } },
    (logger, standIn) => startGatehouse(configs, logger, standIn),
  );
}
