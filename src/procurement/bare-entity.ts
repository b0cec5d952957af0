/** Limits for entities that procurement makes: they carry no properties. */
import type { PropertyLimits } from '../entities/check-properties.ts';

export const bareEntity: PropertyLimits = { PROPERTY_VALUE_CHARS_MAX: 0, PROPERTIES_MAX: 0 };
