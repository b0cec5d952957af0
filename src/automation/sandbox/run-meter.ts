/** The limits of one run as they are used up, and the one thing that ended it. */
import { StandBack, threadCpuMs } from '../../fairness/stand-back.ts';
import type { Position } from './locate-error.ts';
import type { SandboxHost } from './sandbox-host.ts';
import { cpuLimitMessage, type ScriptLimits } from './script-limits.ts';
import type { ScriptErrorKind } from './script-result.ts';

/** Why a run was ended from outside the script. */
export interface Stop {
  kind: ScriptErrorKind;
  name: string;
  message: string;
  position: Position | null;
}

/** Time that the engine may still compute for a stopped run, to find out where it was. */
const DESCRIBE_MS = 50;
const MiB = 1024 * 1024;

export class RunMeter {
  readonly #limits: ScriptLimits;
  readonly #startedAt = performance.now();
  readonly #cpuAtStart = threadCpuMs();
  readonly #host: Pick<SandboxHost, 'isHurried'>;
  readonly #others: StandBack;
  #stop: Stop | null = null;
  #graceUntil: number | null = null;

  constructor(
    limits: ScriptLimits,
    host: Pick<SandboxHost, 'isHurried'>,
    others: StandBack = new StandBack(),
  ) {
    this.#limits = limits;
    this.#host = host;
    this.#others = others;
  }

  /** Set once: from then on nothing that the script does or returns counts, whatever it has caught. */
  get stop(): Stop | null {
    return this.#stop;
  }

  halt(kind: ScriptErrorKind, name: string, message: string, position: Position | null = null): void {
    this.#stop ??= { kind, name, message, position };
  }

  haltForMemory(pressure: 'soft' | 'hard'): void {
    const bytes = pressure === 'soft' ? this.#limits.memorySoftBytes : this.#limits.memoryBytes;
    this.halt(
      'memory',
      'MemoryLimitError',
      `The script used more than ${Math.floor(bytes / MiB)} MiB of memory`,
    );
  }

  /** The engine's poll: true interrupts the script. */
  mustInterrupt(): boolean {
    if (this.#graceUntil !== null) return performance.now() > this.#graceUntil;
    // Callers that wait for its locks gain nothing from its rests while its end is near.
    if (!this.#host.isHurried) this.#others.look();
    this.checkClocks();
    return this.#stop !== null;
  }

  /** The script has waited for the host. */
  goOn(): void {
    this.#others.goOn();
  }

  checkClocks(): void {
    if (this.#stop !== null) return;
    const { cpuMs, wallMs } = this.#limits;
    if (this.cpuMs() > cpuMs) {
      this.halt('timeout', 'CpuLimitError', cpuLimitMessage(cpuMs));
    } else if (this.elapsedMs() >= wallMs) {
      this.halt('timeout', 'TimeLimitError', `The script took longer than ${wallMs} ms`);
    }
  }

  /** Lets the engine work a little for a script that was stopped. */
  withGrace<T>(work: () => T): T {
    this.#graceUntil = performance.now() + DESCRIBE_MS;
    try {
      return work();
    } finally {
      this.#graceUntil = null;
    }
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** CPU of this thread, which runs nothing else: waiting costs none, nor does a neighbour on the same core. */
  cpuMs(): number {
    return threadCpuMs() - this.#cpuAtStart;
  }
}
