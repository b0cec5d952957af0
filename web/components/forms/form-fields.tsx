/** Fields of a form that the service describes as JSON Schema, and the values that are typed into them. */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import type { Form, FormField } from '../../client/operations.ts';
import { withCode } from '../words.tsx';
import { twofoldFault, typedQuantity } from './exact-quantity.ts';

export type Typed = Readonly<Record<string, string | boolean>>;

/** A text this long gets several lines. */
const LINE_CHARS_MAX = 255;

/** The form that a settings schema of the service describes: its fields are those that forms have. */
export function formOf(settingsSchema: Readonly<Record<string, unknown>>): Form {
  return settingsSchema as unknown as Form;
}

/** Stored values as somebody would type them. */
export function typedValues(values: Readonly<Record<string, unknown>>): Typed {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? typedQuantity(value) : typeof value === 'boolean' ? value : String(value),
    ]),
  );
}

/** The form as it is opened: with its defaults. */
export function beginForm(form: Form | undefined): Typed {
  return Object.fromEntries(
    Object.entries(form?.properties ?? {}).map(([name, field]) => [
      name,
      field.type === 'boolean'
        ? (field.default ?? false)
        : typeof field.default === 'number'
          ? typedQuantity(field.default)
          : (field.default ?? ''),
    ]),
  );
}

/** Reads the typed values; `fault` says what is missing or wrong. Fields left empty are absent. */
export function readForm(
  form: Form | undefined,
  typed: Typed,
): { values: Record<string, unknown>; fault: string | null } {
  const values: Record<string, unknown> = {};
  let fault: string | null = null;
  for (const [name, field] of Object.entries(form?.properties ?? {})) {
    const value = typed[name] ?? '';
    if (value === '') {
      if (form?.required?.includes(name)) fault ??= `Enter ${labelOf(name, field)}.`;
    } else if (field.type === 'number' || field.type === 'integer') {
      const wrong = numberFault(String(value), field);
      if (wrong === null) values[name] = numberOf(String(value));
      else fault ??= `${labelOf(name, field)}: ${wrong}`;
    } else values[name] = value;
  }
  return { values, fault };
}

/** A text that names something, such as a location: `picks` says what. */
export interface PickProps {
  picks: string;
  label: string;
  description: ReactNode;
  withAsterisk: boolean;
  value: string;
  maxLength: number | undefined;
  onValue: (value: string) => void;
}

export interface FormFieldsProps {
  form: Form | undefined;
  typed: Typed;
  /** Shows fields that name something. */
  Pick?: ComponentType<PickProps>;
  onChange: (typed: Typed) => void;
}

export function FormFields({ form, typed, Pick, onChange }: FormFieldsProps) {
  return Object.entries(form?.properties ?? {}).map(([name, field]) => (
    <Field
      key={name}
      label={labelOf(name, field)}
      field={field}
      required={form?.required?.includes(name) === true}
      value={typed[name] ?? ''}
      Pick={Pick}
      onChange={(value) => onChange({ ...typed, [name]: value })}
    />
  ));
}

interface FieldProps {
  label: string;
  field: FormField;
  required: boolean;
  value: string | boolean;
  Pick: ComponentType<PickProps> | undefined;
  onChange: (value: string | boolean) => void;
}

function Field({ label, field, required, value, Pick, onChange }: FieldProps) {
  const help = field.description === undefined ? undefined : withCode(field.description);
  const common = { label, description: help, withAsterisk: required };
  if (field.type === 'boolean') {
    return (
      <Checkbox
        label={label}
        description={help}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  const text = String(value);
  const input = {
    ...common,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (field.type !== 'string') {
    const wrong = text === '' ? null : numberFault(text, field);
    return <TextInput {...input} inputMode="decimal" error={wrong ?? undefined} />;
  }
  const picks = 'x-picks' in field ? String(field['x-picks']) : null;
  if (Pick !== undefined && picks !== null)
    return <Pick {...common} picks={picks} value={text} maxLength={field.maxLength} onValue={onChange} />;
  if (field.enum !== undefined) {
    const labels = 'x-labels' in field ? (field['x-labels'] as Readonly<Record<string, string>>) : {};
    const choices = field.enum.map((choice) => ({ value: choice, label: labels[choice] ?? choice }));
    return <NativeSelect {...input} data={[{ value: '', label: '–' }, ...choices]} />;
  }
  if (field.format === 'date') return <TextInput {...input} type="date" />;
  if ((field.maxLength ?? 0) > LINE_CHARS_MAX)
    return <Textarea {...input} autosize minRows={2} maxLength={field.maxLength} />;
  return <TextInput {...input} maxLength={field.maxLength} />;
}

function labelOf(name: string, { title }: FormField): string {
  return title ?? name;
}

function numberOf(text: string): number {
  return Number(text.trim().replace(',', '.').replace('−', '-'));
}

function numberFault(text: string, field: Extract<FormField, { type: 'number' | 'integer' }>): string | null {
  const twofold = twofoldFault(text);
  if (twofold !== null) return twofold;
  const value = numberOf(text);
  if (!Number.isFinite(value)) return 'Not a number.';
  if (field.type === 'integer' && !Number.isInteger(value)) return 'Not a whole number.';
  if (field.minimum !== undefined && value < field.minimum) return `At least ${field.minimum}.`;
  if (field.maximum !== undefined && value > field.maximum) return `At most ${field.maximum}.`;
  return null;
}
