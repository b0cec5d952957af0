/** A lifecycle drawn: states as boxes, the ways between them as arrows, where one is and where one may go. */
import dagre from '@dagrejs/dagre';
import { curveBasis, line } from 'd3-shape';
import { useEffect, useRef } from 'react';
import type { Lifecycle } from '../../client/operations.ts';
import styles from './lifecycle-picture.module.css';

export interface LifecyclePictureProps {
  lifecycle: Pick<Lifecycle, 'states' | 'transitions' | 'initialState'>;
  /** The state to mark; the ways that lead on from it are marked too. */
  current?: string;
  /** A state or a way was chosen; for an editor. */
  onPick?: (what: { state: string } | { transition: string }) => void;
  picked?: string;
}

const BOX = { height: 34, perCharacter: 7.6, padding: 26 };

interface Point {
  x: number;
  y: number;
}

export function LifecyclePicture({ lifecycle, current, onPick, picked }: LifecyclePictureProps) {
  const { nodes, edges, width, height } = layOut(lifecycle);
  const draw = line<Point>(
    ({ x }) => x,
    ({ y }) => y,
  ).curve(curveBasis);
  const scroller = useRef<HTMLElement>(null);
  const marked = nodes.find(({ name }) => name === current)?.x;
  // On a phone the picture is wider than its place: where the entity is comes into view.
  useEffect(() => {
    const place = scroller.current;
    if (place === null || marked === undefined) return;
    place.scrollLeft = (marked / width) * place.scrollWidth - place.clientWidth / 2;
  }, [marked, width]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label="Picture of the lifecycle">
      <svg
        style={{ width: '100%', minWidth: width * SCALE_MIN, maxWidth: width }}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={wordsOf(lifecycle)}
      >
        <defs>
          {['plain', 'marked'].map((kind) => (
            <marker
              key={kind}
              id={`arrow-${kind}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              orient="auto-start-reverse"
            >
              <path d="M0 0L8 4L0 8z" className={kind === 'plain' ? styles.head : styles.headMarked} />
            </marker>
          ))}
        </defs>
        {edges.map(({ id, points, from }) => {
          const marked = from === current || id === picked;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: as above
            <g key={id} onClick={() => onPick?.({ transition: id })} className={onPick && styles.pickable}>
              <path
                d={draw(points) ?? ''}
                className={marked ? styles.wayMarked : styles.way}
                markerEnd={`url(#arrow-${marked ? 'marked' : 'plain'})`}
              />
            </g>
          );
        })}
        {/* After all the ways: none of them crosses a name. */}
        {edges.map(({ id, name, from, label }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: as above
          <g key={id} onClick={() => onPick?.({ transition: id })} className={onPick && styles.pickable}>
            <text
              x={label.x}
              y={label.y}
              className={from === current || id === picked ? styles.nameMarked : styles.name}
            >
              {name}
            </text>
          </g>
        ))}
        {nodes.map(({ name, released, x, y, boxWidth }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: as above
          <g key={name} onClick={() => onPick?.({ state: name })} className={onPick && styles.pickable}>
            <rect
              x={x - boxWidth / 2}
              y={y - BOX.height / 2}
              width={boxWidth}
              height={BOX.height}
              rx="3"
              className={[
                styles.state,
                released && styles.released,
                name === current && styles.current,
                name === picked && styles.picked,
              ]
                .filter(Boolean)
                .join(' ')}
            />
            {name === lifecycle.initialState && (
              <circle cx={x - boxWidth / 2} cy={y} r="5" className={styles.initial} />
            )}
            <text x={x} y={y + 5} className={name === current ? styles.labelCurrent : styles.label}>
              {name}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

/** Smaller its words could not be read; then it scrolls. */
const SCALE_MIN = 0.8;

function layOut({ states, transitions }: LifecyclePictureProps['lifecycle']) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 32, ranksep: 44, edgesep: 14, marginx: 10, marginy: 14 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of states) {
    graph.setNode(name, { width: name.length * BOX.perCharacter + BOX.padding, height: BOX.height });
  }
  const known = new Set(states.map(({ name }) => name));
  const drawn = transitions.filter(({ from, to }) => known.has(from) && known.has(to));
  for (const { id, from, to, name } of drawn) {
    graph.setEdge(from, to, { width: name.length * 6.6, height: 18, labelpos: 'c' }, id);
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: states.map(({ name, released }) => {
      const node = graph.node(name);
      return { name, released, x: node.x ?? 0, y: node.y ?? 0, boxWidth: node.width ?? 0 };
    }),
    edges: drawn.map(({ id, from, to, name }) => {
      const edge = graph.edge({ v: from, w: to, name: id });
      return {
        id,
        name,
        from,
        points: (edge.points ?? []) as Point[],
        label: { x: edge.x ?? 0, y: (edge.y ?? 0) + 4 },
      };
    }),
  };
}

function wordsOf({ transitions, initialState }: LifecyclePictureProps['lifecycle']): string {
  const ways = transitions.map(({ from, to, name }) => `${name} from ${from} to ${to}`).join('; ');
  return `Begins as ${initialState}. ${ways}.`;
}
