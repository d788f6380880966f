import { scryptSync } from 'node:crypto';
import * as fs from 'node:fs';
import { Controller, Get, Param, Post } from '@nestjs/common';

@Controller('users')
export class UsersController {
  // Read when the application is put together, not per request.
  readonly #greeting = fs.readFileSync(new URL('./greeting.txt', import.meta.url), 'utf8').trim();

  @Get(':id')
  show(@Param('id') id: string): { id: string; hash: string; greeting: string } {
    return { id, hash: this.hashOf(id), greeting: this.#greeting };
  }

  @Post()
  create(): { known: boolean } {
    return { known: fs.existsSync('/etc/hosts') };
    //              ^ no-sync-in-handler: blocks (seen)
  }

  private hashOf(id: string): string {
    return scryptSync(id, 'users', 16).toString('hex');
    //     ^ no-sync-in-handler: blocks (confirmed)
  }
}
