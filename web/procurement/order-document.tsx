/** Prints an order: the page as it is, or as PDF or CSV by the template of the workspace. */
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { OrderWithLines } from '../client/operations.ts';
import { addressOf, send } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Icon } from '../components/icons.tsx';
import { save } from '../components/lists/download-table.ts';
import { Link } from '../navigation/link.tsx';
import { paths } from '../navigation/paths.ts';

type DocumentForm = 'pdf' | 'csv';

export function OrderDocument({ order }: { order: OrderWithLines }) {
  const mayConfigure = useMay('configuration');
  const download = useMutation({
    mutationFn: async (format: DocumentForm) => {
      const address = addressOf('getOrderDocument', { id: order.id, query: { format } });
      const response = await send(address, {});
      save(await response.blob(), `${(order.number ?? order.id).replaceAll(/[^\w.-]+/g, '-')}.${format}`);
    },
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            loading={download.isPending}
            rightSection={<Icon name="down" size={12} />}
          >
            Print
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download.mutate('pdf')}>Download as PDF</Menu.Item>
          <Menu.Item onClick={() => download.mutate('csv')}>Download as CSV</Menu.Item>
          <Menu.Item onClick={() => window.print()}>Print this page</Menu.Item>
          {mayConfigure && (
            <Menu.Item component={Link} href={paths.settings('orders')}>
              Change the template
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {download.error !== null && (
        <Dialog
          title="The order was not downloaded"
          submit="Try again"
          busy={download.isPending}
          error={download.error}
          onSubmit={() => download.mutate(download.variables)}
          onClose={() => download.reset()}
        >
          <p>Nothing was changed.</p>
        </Dialog>
      )}
    </>
  );
}
