// The room in three dimensions, drawn by three.js; the library is unpacked when the view is first opened.

import { choose, state } from "./address.js";
import { cabinetColor, hex, paletteOf, textOn } from "./colors.js";
import { byId } from "./elements.js";
import { FONT, shownOf } from "./floor.js";
import { moduleOf } from "./libraries.js";
import { all, cabinetInSlot, cabinets, count, highestOf, room, scene } from "./plan.js";
import { address, cabinetsOfThing } from "./selection.js";

let loading = null,
  space = null;

async function spaceLibrary() {
  const core = await moduleOf("three-core-library");
  const main = await moduleOf("three-library", [['"./three.core.min.js"', core]]);
  const orbit = await moduleOf("three-orbit-library", [['"three"', main]]);
  const [three, { OrbitControls }] = await Promise.all([import(main), import(orbit)]);
  return { three, OrbitControls };
}

export async function showSpace(thing, layers) {
  if (!cabinets) {
    byId("space-note").textContent = "This plan has no cabinets: the study stopped too early.";
    return;
  }
  loading ||= spaceLibrary().then(({ three, OrbitControls }) => {
    space = new Space(three, OrbitControls, byId("space-canvas"));
  });
  try {
    await loading;
  } catch (error) {
    byId("space-note").textContent = `The 3-D view needs WebGL, which this browser does not offer: ${error.message}`;
    return;
  }
  space.show(thing ?? state.thing, layers);
}

// Trays without a real limit, in rooms of papers, are drawn this wide, in meters.
const WIDEST_TRAY = 0.8;

// Meters, with the height along y.
const inSpace = (x, y, z) => [x / 1000, z / 1000, -y / 1000];
const nodePlace = (node) => inSpace(...room.node_xyz.subarray(3 * node, 3 * node + 3));
const slotPlace = (slot, z) => inSpace(room.slot_xy[2 * slot], room.slot_xy[2 * slot + 1], z);

class Space {
  constructor(three, OrbitControls, canvas) {
    Object.assign(this, { three, canvas, frames: 0, height: cabinets.height_mm });
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.scene = new three.Scene();
    this.camera = new three.PerspectiveCamera(45, 1, 0.1, 2000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxPolarAngle = 0.495 * Math.PI;
    this.controls.addEventListener("change", () => this.request());
    this.scene.add(new three.HemisphereLight(0xffffff, 0x8a949c, 2.4));
    const sun = new three.DirectionalLight(0xffffff, 1.4);
    sun.position.set(0.4, 1, 0.7);
    this.scene.add(sun);
    this.build();
    this.fit();
    new ResizeObserver(() => this.request()).observe(canvas);
    this.listen();
  }

  build() {
    const { three, scene: whole } = this,
      one = new three.BoxGeometry(1, 1, 1);
    const instances = (number) => {
      const made = new three.InstancedMesh(one, new three.MeshLambertMaterial(), number);
      whole.add(made);
      return made;
    };
    const sides = (slot) => [room.slot_size[2 * slot] / 1000, this.height / 1000, room.slot_size[2 * slot + 1] / 1000];
    const matrix = new three.Matrix4(),
      edges = [];
    this.cabinets = instances(count.cabinets);
    cabinets.slot.forEach((slot, n) => {
      const size = sides(slot),
        place = slotPlace(slot, this.height / 2);
      // A gap of 2 cm distinguishes neighbors.
      matrix.makeScale(size[0] - 0.02, size[1], size[2] - 0.02).setPosition(...place);
      this.cabinets.setMatrixAt(n, matrix);
    });
    for (let slot = 0; slot < count.slots; slot++)
      edges.push(...this.outline(slotPlace(slot, 0), sides(slot), cabinetInSlot[slot] < 0));
    this.edges = this.lines(edges);
    this.trays = instances(count.segments);
    for (let segment = 0; segment < count.segments; segment++) this.trays.setMatrixAt(segment, this.trayMatrix(segment, matrix));
    this.floor = this.ground();
    this.names = this.plate();
    this.marks = new three.Group();
    whole.add(this.marks);
  }

  // Edges of a cabinet, or the rectangle of an empty slot on the floor.
  outline([x, , z], [wide, high, deep], empty) {
    const [a, b, c, d] = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([u, v]) => [x + (u * wide) / 2, z + (v * deep) / 2]);
    const found = [];
    for (const level of empty ? [0.005] : [0.005, high])
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, d],
        [d, a],
      ])
        found.push(from[0], level, from[1], to[0], level, to[1]);
    if (!empty) for (const corner of [a, b, c, d]) found.push(corner[0], 0, corner[1], corner[0], high, corner[1]);
    return found;
  }

  lines(points) {
    const { three } = this,
      geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.Float32BufferAttribute(points, 3));
    const made = new three.LineSegments(geometry, new three.LineBasicMaterial());
    this.scene.add(made);
    return made;
  }

  // A tray as a box along its segment, as wide as its cross-section at a height of 10 cm.
  trayMatrix(segment, matrix) {
    const { three } = this,
      [from, to] = [0, 1].map((end) => new three.Vector3(...nodePlace(room.segments[2 * segment + end])));
    const along = to.clone().sub(from),
      length = Math.max(along.length(), 0.01),
      wide = Math.min(WIDEST_TRAY, Math.max(0.08, room.segment_mm2[segment] / 1e5 || 0.1));
    const turn = new three.Quaternion().setFromUnitVectors(new three.Vector3(1, 0, 0), along.clone().normalize());
    return matrix.compose(
      from
        .add(to)
        .multiplyScalar(0.5)
        .add(new three.Vector3(0, 0.05, 0)),
      turn,
      new three.Vector3(length, 0.1, wide),
    );
  }

  ground() {
    const { three } = this,
      shapes = scene.layers
        .filter(([name]) => name === "floor")
        .flatMap(([, , groups]) =>
          groups.flatMap(([, , , points, start]) =>
            Array.from({ length: start.length - 1 }, (_, n) => {
              const corners = [];
              for (let at = start[n]; at < start[n + 1]; at++)
                corners.push(new three.Vector2(points[2 * at] / 1000, points[2 * at + 1] / 1000));
              return new three.Shape(corners);
            }),
          ),
        );
    const made = new three.Mesh(new three.ShapeGeometry(shapes), new three.MeshBasicMaterial({ side: three.DoubleSide }));
    made.rotation.x = -Math.PI / 2;
    made.position.y = -0.01;
    this.scene.add(made);
    return made;
  }

  // The names of the cabinets on their tops: one picture over all of them.
  plate() {
    const { three } = this,
      [low, high] = [scene.low_mm, scene.high_mm],
      [wide, deep] = [high[0] - low[0], high[1] - low[1]];
    const made = new three.Mesh(
      new three.PlaneGeometry(wide / 1000, deep / 1000),
      new three.MeshBasicMaterial({ transparent: true, depthWrite: false }),
    );
    made.rotation.x = -Math.PI / 2;
    made.position.set(...inSpace((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, this.height + 5));
    this.scene.add(made);
    return made;
  }

  writeNames(colors) {
    const { three } = this,
      [low, high] = [scene.low_mm, scene.high_mm],
      widest = Math.min(4096, this.renderer.capabilities.maxTextureSize);
    const scale = widest / Math.max(high[0] - low[0], high[1] - low[1]),
      picture = document.createElement("canvas"),
      context = picture.getContext("2d");
    [picture.width, picture.height] = [(high[0] - low[0]) * scale, (high[1] - low[1]) * scale].map(Math.ceil);
    context.textAlign = "center";
    context.textBaseline = "middle";
    cabinets.slot.forEach((slot, n) => {
      const [wide, deep] = [room.slot_size[2 * slot] * scale, room.slot_size[2 * slot + 1] * scale],
        name = cabinets.names[n];
      context.font = `600 100px ${FONT}`;
      const size = Math.min((92 * wide) / context.measureText(name).width, 0.5 * deep);
      context.font = `600 ${size}px ${FONT}`;
      context.fillStyle = colors[n];
      context.fillText(name, (room.slot_xy[2 * slot] - low[0]) * scale, (high[1] - room.slot_xy[2 * slot + 1]) * scale);
    });
    this.names.material.map?.dispose();
    this.names.material.map = new three.CanvasTexture(picture);
    this.names.material.map.colorSpace = three.SRGBColorSpace;
    this.names.material.map.anisotropy = this.renderer.capabilities.getMaxAnisotropy();
    this.names.material.needsUpdate = true;
  }

  fit() {
    const [low, high] = [scene.low_mm, scene.high_mm],
      reach = Math.max(high[0] - low[0], high[1] - low[1]) / 1000;
    const [x, , z] = inSpace((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0);
    this.controls.target.set(x, 1, z);
    this.camera.position.set(x - 0.35 * reach, 0.55 * reach + 2, z + 0.75 * reach);
    this.controls.update();
  }

  zoom(factor) {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  // The colors are those of the floor's layers.
  show(thing, layers) {
    const { three } = this,
      palette = paletteOf(getComputedStyle(document.documentElement));
    const colors = all(count.cabinets).map((n) => cabinetColor(palette, layers.cabinets, n)),
      color = new three.Color();
    this.scene.background = new three.Color(palette.paper);
    this.floor.material.color.set(palette.tile || palette.floor);
    this.edges.material.color.set(palette["cabinet-edge"]);
    colors.forEach((own, n) => this.cabinets.setColorAt(n, color.set(own)));
    this.cabinets.instanceColor.needsUpdate = true;
    const fills = trayColors(palette);
    this.trays.visible = layers.trays !== "none";
    for (let segment = 0; segment < count.segments; segment++)
      this.trays.setColorAt(segment, color.set(layers.trays === "fill" ? fills[segment] : palette.tray));
    if (this.trays.instanceColor) this.trays.instanceColor.needsUpdate = true;
    this.writeNames(colors.map((own) => textOn(own, palette)));
    this.mark(thing, layers, palette);
    this.reveal(thing);
    this.request();
  }

  // The cables of the selection along their trays, and frames around its cabinets.
  mark(thing, layers, palette) {
    const { marks } = this,
      points = [],
      frames = [];
    for (const old of [...marks.children]) {
      old.geometry.dispose();
      old.material.dispose();
      marks.remove(old);
    }
    const shown = shownOf(thing, { ...layers, lines: "trays" }, palette);
    for (const { kinds, flow, drops, load } of [shown.base, shown.chosen].filter((set) => set)) {
      const parts = kinds.map(() => []);
      for (const [segment, { by }] of flow)
        parts[by.indexOf(highestOf(by))].push(
          ...nodePlace(room.segments[2 * segment]),
          ...nodePlace(room.segments[2 * segment + 1]),
        );
      for (const [cabinet, node, { by }] of drops)
        parts[by.indexOf(highestOf(by))].push(...slotPlace(cabinets.slot[cabinet], this.height), ...nodePlace(node));
      parts.forEach((own, n) => points.push([own, load ? palette.ramps.load.map(hex)[3] : kinds[n].color]));
    }
    for (const cabinet of shown.marked.cabinets) {
      const slot = cabinets.slot[cabinet],
        size = [room.slot_size[2 * slot] / 1000 + 0.04, this.height / 1000 + 0.03, room.slot_size[2 * slot + 1] / 1000 + 0.04];
      frames.push(...this.outline(slotPlace(slot, 0), size, false));
    }
    for (const segment of shown.marked.segments)
      points.push([[...nodePlace(room.segments[2 * segment]), ...nodePlace(room.segments[2 * segment + 1])], palette.chosen]);
    for (const [own, color] of [...points, [frames, palette.chosen]]) {
      if (!own.length) continue;
      const made = this.lines(own.map((value, n) => (n % 3 === 1 ? value + 0.06 : value)));
      made.material.color.set(color);
      made.material.depthTest = false;
      made.renderOrder = 2;
      marks.add(made);
    }
    this.canvas.dataset.marked = String(shown.marked.cabinets.length);
  }

  // Turn around the selection; the distance stays.
  reveal(thing) {
    const [first] = cabinetsOfThing(thing);
    if (first === undefined || this.around === first) return;
    this.around = first;
    const aim = new this.three.Vector3(...slotPlace(cabinets.slot[first], this.height / 2)),
      move = aim.sub(this.controls.target);
    this.camera.position.add(move);
    this.controls.target.add(move);
    this.controls.update();
  }

  request() {
    this.wanted ||= requestAnimationFrame(() => {
      this.wanted = 0;
      this.frame();
    });
  }

  frame() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    Object.assign(this.canvas.dataset, {
      frames: ++this.frames,
      boxes: count.cabinets,
      triangles: this.renderer.info.render.triangles,
    });
  }

  listen() {
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      down = [event.clientX, event.clientY];
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const thing = this.under(event);
      if (thing) choose(address(thing.kind, thing.n).slice(1));
    });
  }

  // The cabinet or tray segment under the pointer.
  under({ clientX, clientY }) {
    const { three } = this,
      box = this.canvas.getBoundingClientRect(),
      ray = new three.Raycaster();
    ray.setFromCamera(
      new three.Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height),
      this.camera,
    );
    const [hit] = ray.intersectObjects([this.cabinets, ...(this.trays.visible ? [this.trays] : [])]);
    return hit ? { kind: hit.object === this.cabinets ? "cabinet" : "segment", n: hit.instanceId } : null;
  }
}

// The color of each tray segment by its fill, as on the floor.
function trayColors(palette) {
  const steps = scene.fill_steps,
    found = new Array(count.segments).fill(palette.tray);
  for (let segment = 0; segment < count.segments; segment++) {
    const fill = room.segment_fill[segment];
    if (fill > 0 && room.segment_mm2[segment] > 0)
      found[segment] =
        palette.fills[
          fill > room.max_fill + 1e-9 ? steps.length : steps.findIndex((limit) => fill <= limit * room.design_fill + 1e-9)
        ];
  }
  return found;
}

export const spaceView = () => space;
