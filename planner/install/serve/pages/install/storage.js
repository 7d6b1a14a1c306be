// What the phone keeps: IndexedDB, or memory where the browser has none for this page.

// Name of each store and the key of its records; "" for keys of their own.
const STORES = { queue: "id", photos: "id", log: "id", refused: "id", registers: "key", meta: "" };

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const finished = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });

class Disk {
  constructor(database) {
    this.database = database;
    this.lasts = true;
  }
  all(name) {
    return done(this.database.transaction(name).objectStore(name).getAll());
  }
  get(name, key) {
    return done(this.database.transaction(name).objectStore(name).get(key));
  }
  set(key, value) {
    return this.write("meta", (store) => store.put(value, key));
  }
  put(name, records) {
    return this.write(name, (store) => records.forEach((record) => store.put(record)));
  }
  delete(name, keys) {
    return this.write(name, (store) => keys.forEach((key) => store.delete(key)));
  }
  clear(name) {
    return this.write(name, (store) => store.clear());
  }
  write(name, act) {
    const transaction = this.database.transaction(name, "readwrite", { durability: "strict" });
    act(transaction.objectStore(name));
    return finished(transaction);
  }
}

class Memory {
  constructor() {
    this.stores = Object.fromEntries(Object.keys(STORES).map((name) => [name, new Map()]));
    this.lasts = false;
  }
  async all(name) {
    return [...this.stores[name].values()];
  }
  async get(name, key) {
    return this.stores[name].get(key);
  }
  async set(key, value) {
    this.stores.meta.set(key, value);
  }
  async put(name, records) {
    for (const record of records) this.stores[name].set(record[STORES[name]], record);
  }
  async delete(name, keys) {
    for (const key of keys) this.stores[name].delete(key);
  }
  async clear(name) {
    this.stores[name].clear();
  }
}

export async function openStorage() {
  try {
    const request = indexedDB.open("planner-install", 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, keyPath ? { keyPath } : {});
    };
    const database = await done(request);
    // Where the browser grants it, events that are not sent yet outlast a lack of space.
    if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => false);
    return new Disk(database);
  } catch {
    return new Memory();
  }
}
