// The sound of a stone.

let audio;

export function click() {
  audio ??= new AudioContext();
  const [now, gain, tone] = [audio.currentTime, audio.createGain(), audio.createOscillator()];
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  gain.gain.setValueAtTime(0.25, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.09);
}
