/** The text of a comment: Markdown as React elements. HTML in it is text, pictures of other sites are links. */
import Markdown from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';
import styles from './comments.module.css';
import { isNestedDeep } from './nesting.ts';

interface LinkProps {
  href?: string;
  children?: ReactNode;
}

/** Only addresses of the web, of mail and of the app itself are links. */
function SafeLink({ href = '', children }: LinkProps) {
  if (href.startsWith(paths.entities())) return <Link href={href}>{children}</Link>;
  if (!/^(https?:|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  );
}

function PictureLink({ src = '', alt }: { src?: string; alt?: string }) {
  return <SafeLink href={src}>{alt === undefined || alt === '' ? src : alt}</SafeLink>;
}

function Heading({ children }: { children?: ReactNode }) {
  return <p className={styles.heading}>{children}</p>;
}

const heading = { component: Heading };
const options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    a: { component: SafeLink },
    img: { component: PictureLink },
    input: { props: { 'aria-label': 'Task' } },
    h1: heading,
    h2: heading,
    h3: heading,
    h4: heading,
    h5: heading,
    h6: heading,
  },
} as const;

interface CommentTextProps {
  text: string;
  /** The present names of members that the text mentions by the names that they had. */
  mentions?: readonly { name: string; writtenAs: string }[];
}

export function CommentText({ text, mentions = [] }: CommentTextProps) {
  const markdown = withLinks(text, new Map(mentions.map((one) => [one.writtenAs.toLowerCase(), one.name])));
  return (
    <div className={styles.text}>
      {isNestedDeep(markdown) ? (
        <p className={styles.plain}>{text}</p>
      ) : (
        <Markdown options={options}>{markdown}</Markdown>
      )}
    </div>
  );
}

/** `@[Name]` becomes the present name in bold, and `#[Number]` a link to the entity with that number. */
function withLinks(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replaceAll(
      /@\[([^[\]\n]{1,200})\]/g,
      (_, name: string) => `**@${plain(names.get(name.trim().toLowerCase()) ?? name)}**`,
    )
    .replaceAll(/#\[([^[\]\n]{1,255})\]/g, (_, number: string) => {
      const href = paths.entities({ number: number.trim() });
      return `[${plain(number)}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
    });
}

/** Without what Markdown would read as emphasis. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_~]/g, '\\$&');
}
