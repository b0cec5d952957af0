/** Passwords: argon2id of Node, two at once in a process, because each takes 19 MiB and a core for its time. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const AT_ONCE = 2;
const WAITING_MAX = 100;

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/;

export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Returns the text that is stored. Throws `rate_limited` where too many wait. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.#derive(password, salt, MEMORY_KIB, PASSES);
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${salt.toString('base64url')}$${tag.toString('base64url')}`;
  }

  /** Compares with what is stored. Without it the same work is done, so that nobody learns which names there are. */
  async matches(password: string, stored: string | null): Promise<boolean> {
    const [, memory = '', passes = '', salt = '', tag = ''] = form.exec(stored ?? '') ?? [];
    if (tag === '') {
      await this.#derive(password, Buffer.alloc(16), MEMORY_KIB, PASSES);
      return false;
    }
    const found = await this.#derive(
      password,
      Buffer.from(salt, 'base64url'),
      Number(memory),
      Number(passes),
    );
    return timingSafeEqual(found, Buffer.from(tag, 'base64url'));
  }

  async #derive(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
    await this.#begin();
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        // Keyboards can type the same letters as different code points.
        const message = password.normalize('NFC');
        argon2(
          'argon2id',
          { message, nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes },
          (error, tag) => (error === null ? resolve(tag) : reject(error)),
        );
      });
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #begin(): Promise<void> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= WAITING_MAX)
        throw new AppError('rate_limited', {
          detail: 'Too many people sign in with a password at this moment. Try again.',
          headers: { 'Retry-After': '5' },
        });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}
