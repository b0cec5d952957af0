/** A real link: Ctrl, middle click and "copy address" work; a plain click stays within the page. */
import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  replace?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

export function Link({ href, replace = false, onClick, ...rest }: LinkProps) {
  const { history } = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (
      event.defaultPrevented ||
      !isPlainClick(event) ||
      rest.target === '_blank' ||
      rest.download !== undefined
    )
      return;
    event.preventDefault();
    if (replace) history.replace(href);
    else history.push(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}

/** Neither "in a new tab" nor "in a new window". */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** To go somewhere after something was done. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const { history } = useRouter();
  return (href, options) => {
    if (options?.replace === true) history.replace(href);
    else history.push(href);
  };
}
