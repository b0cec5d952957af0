/** Pictures of items. A browser keeps them: the content of a hash never changes. */
import { addressOf } from '../../client/request.ts';
import styles from './thumbnail.module.css';

export type PictureSize = '64' | '256' | '1024' | 'original';

export function pictureAddress(sha256: string, size: PictureSize): string {
  return addressOf('getPicture', { sha256, query: { size } });
}

/**
 * The small picture before the number of an item. It has no text of its own, since the number and the name stand beside it. An item without
 * a picture asks for nothing; its placeholder is shown only where another row has a picture, so that the numbers stay in one column.
 */
export function Thumbnail({ picture, large = false }: { picture: string | null; large?: boolean }) {
  const size = large ? 48 : 24;
  const look = large ? styles.large : styles.small;
  return picture === null ? (
    <span className={`${styles.none} ${look}`} data-picture="none" aria-hidden="true" />
  ) : (
    <img
      className={`${styles.picture} ${look}`}
      data-picture={picture}
      src={pictureAddress(picture, '64')}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  );
}
