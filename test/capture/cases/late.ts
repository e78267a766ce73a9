export const late: number = await new Promise<number>((resolve) => setTimeout(() => resolve(42), 5));
