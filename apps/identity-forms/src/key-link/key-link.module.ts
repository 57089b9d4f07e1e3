import { Module } from '@nestjs/common';
import { KeyLinkController } from './key-link.controller.js';
import { KeyLinkRepository } from './key-link.repository.js';
import { KeyLinkService } from './key-link.service.js';

@Module({ controllers: [KeyLinkController], providers: [KeyLinkRepository, KeyLinkService] })
export class KeyLinkModule {}
