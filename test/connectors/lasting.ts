/** Hours of a job that a scene ends itself. Even a simulated job then runs for a minute and more. */
export const lasting = 5;
