import { Module } from '@nestjs/common';
import { KeysRepository } from './keys.repository.js';

@Module({ providers: [KeysRepository], exports: [KeysRepository] })
export class RecordsModule {}
