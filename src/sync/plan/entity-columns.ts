/** The columns that statements take of each entity of a chunk. */
import type { CategoryConfiguration } from '../../configuration/current/workspace-configuration.ts';
import type { ComparedEntity, StoredEntity } from './compare-elements.ts';

export const guidOf = ({ guid }: ComparedEntity) => guid;
export const idOf = ({ stored }: ComparedEntity) => (stored as StoredEntity).id;
export const numberOf = ({ number }: ComparedEntity) => number;
export const sentNumberOf = ({ carrier }: ComparedEntity) => carrier.element.number;
export const nameOf = ({ name }: ComparedEntity) => name;
export const valuesOf = ({ valuesJson }: ComparedEntity) => valuesJson;
/** The picture to write as text: empty takes it away, null leaves it. */
export const pictureOf = ({ picture }: ComparedEntity) => (picture === null ? '' : (picture ?? null));
/** The place is decided when all entities are written: until then an equal element is to be compared in full. */
export const hashOf = ({ hash, place }: ComparedEntity) => (place === null ? hash : null);
export const isNew = ({ stored }: ComparedEntity) => stored === null;
export const isStored = ({ stored }: ComparedEntity) => stored !== null;
export const isChanged = ({ changes }: ComparedEntity) => changes.length > 0;
export const isRead = ({ unread }: ComparedEntity) => unread === null;
export const keyOf = ({ key }: CategoryConfiguration) => key;
export const initialStateOf = ({ lifecycle }: CategoryConfiguration) => lifecycle.initialState;
