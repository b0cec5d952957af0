/** Reads codes with the camera, wherever the browser gives one. Elsewhere the phone's own camera opens a label's address. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import styles from '../stock.module.css';
import { hasCamera, openCodeReader } from './code-reader.ts';

const LOOK_EVERY_MS = 200;
/** The same code is not taken twice while it lies under the camera. */
const FORGET_AFTER_MS = 3000;

export function Camera({ onRead }: { onRead: (text: string) => void }) {
  const [on, setOn] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const video = useRef<HTMLVideoElement>(null);
  const read = useRef(onRead);
  read.current = onRead;
  useEffect(() => {
    if (!on) return;
    const reader = openCodeReader();
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    let last = { text: '', at: 0 };
    const look = async () => {
      const text = video.current === null ? null : await reader.read(video.current);
      if (ended) return;
      if (text !== null && (text !== last.text || Date.now() - last.at > FORGET_AFTER_MS)) {
        last = { text, at: Date.now() };
        read.current(text);
      }
      timer = setTimeout(() => look().catch(giveUp), LOOK_EVERY_MS);
    };
    const giveUp = (error: unknown) => {
      if (ended) return;
      setRefused(error instanceof Error ? error.message : String(error));
      setOn(false);
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
      .catch(giveUp);
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    return () => {
      ended = true;
      clearTimeout(timer);
      reader.close();
      stop();
    };
  }, [on]);
  if (!hasCamera()) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setRefused(null);
          setOn(!on);
        }}
      >
        {on ? 'Camera off' : 'Use the camera'}
      </Button>
      {refused !== null && <p className="bad">The camera cannot be used: {refused}</p>}
      {on && (
        <video ref={video} className={styles.video} muted playsInline aria-label="What the camera sees" />
      )}
    </>
  );
}
