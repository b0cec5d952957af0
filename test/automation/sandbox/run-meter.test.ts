/** A script stands back for others' calls, but not while it keeps others waiting by what it has written. */
import { expect, it } from 'vitest';
import { answerHostCall } from '../../../src/automation/conductor/answer-host-call.ts';
import { apiMethods, isWriteMethod } from '../../../src/automation/conductor/api.schema.ts';
import { readers } from '../../../src/automation/runs/read-for-script.ts';
import { Hurry } from '../../../src/automation/sandbox/hurry.ts';
import { RunMeter } from '../../../src/automation/sandbox/run-meter.ts';
import { defaultScriptLimits } from '../../../src/automation/sandbox/script-limits.ts';
import { StandBack } from '../../../src/fairness/stand-back.ts';

it('rests for others until it has written, goes on from there while it computes 50 ms, and rests again, whatever it writes', () => {
  const clock = { now: 0, computed: 0, rests: 0 };
  const others = new StandBack({
    now: () => clock.now,
    computed: () => clock.computed,
    rest: () => void clock.rests++,
  });
  const hurry = new Hurry(() => clock.computed);
  const host = {
    get isHurried() {
      return hurry.isOn;
    },
  };
  const meter = new RunMeter(defaultScriptLimits, host, others);
  /** It has computed for 5 ms, and others have had its processor for 5. */
  const pass = () => {
    clock.now += 10;
    clock.computed += 5;
    expect(meter.mustInterrupt()).toBe(false);
  };
  pass();
  pass();
  expect(clock.rests).toBe(2);
  hurry.begin();
  for (let slice = 0; slice < 9; slice++) pass();
  expect(clock.rests).toBe(2);
  hurry.begin();
  pass();
  pass();
  expect(clock.rests).toBe(4);
});

it('has written when a writing call was answered, and not when it was refused or only read', async () => {
  const { signal } = new AbortController();
  const call = async (method: string, args: unknown[]) =>
    answerHostCall(async () => ({}), { method, argsJson: JSON.stringify(args) }, defaultScriptLimits, signal);
  const id = '0199f0a0-0000-7000-8000-000000000001';
  expect(await call('setProperties', [id, {}])).toMatchObject({ ok: true, writes: true });
  expect(await call('getEntity', [id])).toMatchObject({ ok: true, writes: false });
  expect(await call('setProperties', ['nothing', {}])).not.toHaveProperty('writes');
  expect(apiMethods.filter((method) => !isWriteMethod(method))).toEqual(Object.keys(readers));
});
