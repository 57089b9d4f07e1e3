import { Module } from '@nestjs/common';
import { Themes } from './themes.js';

@Module({ providers: [Themes], exports: [Themes] })
export class ThemeModule {}
