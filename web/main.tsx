/** Starts the app in the page that the web process serves. */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { Refusal } from './client/request.ts';
import './shell/mantine.css';
import './tokens.css';
import './base.css';
import { router } from './shell/router.tsx';
import { cssVariablesResolver, theme } from './shell/theme.ts';

// Vite writes the nonce of the answer into a meta element; its property is not readable as an attribute.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
if (nonce !== '') setNonce(nonce);

const client = new QueryClient({
  defaultOptions: {
    // Whether there is a network is what a call finds out: the browser may know of none where the service stands next door, and
    // whoever sends without one is told, where it would wait for one and then be done behind their back.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5000,
      // What the service refused, it refuses again; only what may pass is tried once more.
      retry: (failures, error) => failures < 2 && !(error instanceof Refusal && error.status < 500),
      refetchOnWindowFocus: true,
    },
  },
});

const app = document.getElementById('app');
if (app === null) throw new Error('The page has no place for the app.');
createRoot(app).render(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={localStorageColorSchemeManager({ key: 'partbook.scheme' })}
    cssVariablesResolver={cssVariablesResolver}
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
