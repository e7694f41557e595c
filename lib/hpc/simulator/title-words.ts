/**
 * Words in a job's title by which a person tells the simulator what shall become of the job:
 *
 * | word         |                                                              |
 * |--------------|--------------------------------------------------------------|
 * | `sim:fail`   | it fails halfway                                             |
 * | `sim:full`   | it needs all the time that it was granted                    |
 * | `sim:slow`   | so does this one, and its other stages take three times long |
 * | `sim:lost`   | it is taken, and the answer is lost                          |
 * | `sim:refuse` | it is refused for good                                       |
 * | `sim:busy`   | the first try is put off by two seconds                      |
 * | `sim:gone`   | it is taken, and nothing is known of it afterwards           |
 */
export type TitleWord = 'fail' | 'full' | 'slow' | 'lost' | 'refuse' | 'busy' | 'gone';

export function saysWord(title: string, word: TitleWord): boolean {
  return title.includes(`sim:${word}`);
}
