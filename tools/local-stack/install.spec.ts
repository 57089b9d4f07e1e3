import { installFault } from './install.mjs';

it('says that the disk is full when npm could not write', () => {
  const log = 'npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write\n';
  expect(installFault(log, 1, 'npm-ci.log').message).toContain('The disk is full');
  expect(installFault('npm error code E404\n', 1, 'npm-ci.log').remedy).toContain('registry');
});
