import { Controller, Get } from '@nestjs/common';
import { BUILD_INFO, type BuildInfo } from '../config/build-info.js';

@Controller('version')
export class VersionController {
  @Get()
  version(): BuildInfo {
    return BUILD_INFO;
  }
}
