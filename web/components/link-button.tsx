/** What looks like a button and goes somewhere: a real link, so that it opens beside when asked to. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from '../navigation/link.tsx';

export interface LinkButtonProps {
  href: string;
  variant?: 'filled' | 'default';
  leftSection?: ReactNode;
  children: ReactNode;
}

export function LinkButton(props: LinkButtonProps) {
  return <Button component={Link} {...props} />;
}
