/** Reads codes with the camera, where the browser can. Elsewhere the phone's own camera opens a label's address. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import styles from './stock.module.css';

interface Detector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

const LOOK_EVERY_MS = 200;
/** The same code is not taken twice while it lies under the camera. */
const FORGET_AFTER_MS = 3000;

function makeDetector(): Detector | null {
  const known = (globalThis as { BarcodeDetector?: new () => Detector }).BarcodeDetector;
  return known === undefined || navigator.mediaDevices === undefined ? null : new known();
}

export function Camera({ onRead }: { onRead: (text: string) => void }) {
  const [on, setOn] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [canRead] = useState(() => makeDetector() !== null);
  const video = useRef<HTMLVideoElement>(null);
  const read = useRef(onRead);
  read.current = onRead;
  useEffect(() => {
    const detector = makeDetector();
    if (!on || detector === null) return;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    let last = { text: '', at: 0 };
    const look = async () => {
      const codes = await detector.detect(video.current as HTMLVideoElement).catch(() => []);
      const text = codes[0]?.rawValue;
      if (text !== undefined && (text !== last.text || Date.now() - last.at > FORGET_AFTER_MS)) {
        last = { text, at: Date.now() };
        read.current(text);
      }
      if (!ended) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    navigator.mediaDevices
      .getUserMedia({ video: { facingMode: 'environment' } })
      .then(async (given) => {
        stream = given;
        if (ended || video.current === null) return stop();
        video.current.srcObject = given;
        await video.current.play();
        await look();
      })
      .catch((error: unknown) => {
        setRefused(error instanceof Error ? error.message : String(error));
        setOn(false);
      });
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    return () => {
      ended = true;
      clearTimeout(timer);
      stop();
    };
  }, [on]);
  if (!canRead) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOn(!on)}>
        {on ? 'Camera off' : 'Use the camera'}
      </Button>
      {refused !== null && <p className="bad">The camera cannot be used: {refused}</p>}
      {on && (
        <video ref={video} className={styles.video} muted playsInline aria-label="What the camera sees" />
      )}
    </>
  );
}
